import type { IncomingMessage } from "node:http";
import { CensusError } from "#storage/errors.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { type HttpRequest, readBody } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import type { Fallback, Route, RouteTable } from "../http/route.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { type Agent, answerGet, answerPost, type Envelope, failureEnvelope } from "../metrics/jolokia/answer.ts";
import { json, object } from "../openapi/replies.ts";
import type { Operation, Parameter, PathItem, Schema } from "../openapi/types.ts";
import { formPairs } from "../query/form-pairs.ts";
import { version } from "../version.ts";

/** What metrics are read from. */
export interface JolokiaServices {
  readonly metrics: MetricsContext;
}

const ROOT = "/metrics/v2";

/** Bytes of a request, at most. */
const MAX_REQUEST = 4 * 1024 * 1024;

/** What all its routes have in common. */
const everywhere: Omit<Fallback<JolokiaServices>, "below"> = {
  methods: ["GET", "POST"],
  refuseMethod: ({ message, path }) => forbiddenRequest(message, path),
  family: "metrics",
  metered: ROOT,
  feature: "jolokia",
  handle: ({ metrics }, request) => answerJolokia(metrics, request),
};

/**
 * `/metrics/v2` and everything below it: Jolokia 1.7 (`reference/metrics.md §1–§5`). The HTTP status is 200 even where the
 * request fails. Paths may have any number of names in them: the usual forms are routes, the others the fallback.
 */
export const jolokiaRoutes: RouteTable<JolokiaServices> = {
  routes: [
    route("", () => ({ get: operation("Show the version of the protocol"), post: postOperation })),
    route("/version", () => ({ get: operation("Show the version of the protocol") })),
    route("/list", () => ({ get: operation("List the beans") })),
    route("/search/:pattern([^/]*)", () => ({
      get: operation(
        "Search for names of beans",
        segment("pattern", "A name; * matches any characters", "puppetlabs.puppetdb.mq:*"),
      ),
    })),
    route("/read/:mbean([^/]*)", () => ({ get: operation("Read the attributes of beans", mbean) })),
    route("/read/:mbean([^/]*)/:attributes([^/]*)", () => ({
      get: operation(
        "Read some attributes of beans",
        mbean,
        segment("attributes", "Names, separated by commas", "HeapMemoryUsage"),
      ),
    })),
  ],
  fallbacks: [{ below: ROOT, ...everywhere }],
};

function route(path: string, describe: () => PathItem): Route<JolokiaServices> {
  return { ...everywhere, path: `${ROOT}${path}`, family: "metrics", describe };
}

async function answerJolokia({ store, beans }: MetricsContext, request: HttpRequest): Promise<HttpResponse> {
  const { message, path, search } = request;
  const given = firstValues(search);
  const headers = originHeaders(message);
  const refusal = callbackRefusal(message, given);
  if (refusal !== undefined) return envelopeResponse(failureEnvelope(refusal), { ...given, callback: "" }, headers);
  const agent: Agent = { beans, now: Number(store.clock.now() / 1_000_000n), version };
  if (message.method === "GET") {
    return envelopeResponse(await answerGet(agent, decoded(path.slice(ROOT.length)), given), given, headers);
  }
  try {
    return envelopeResponse(await answerPost(agent, await readBody(request, MAX_REQUEST), given), given, headers);
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "bad-input") throw error;
    return envelopeResponse(failureEnvelope(error.message), given, headers);
  }
}

/** Lets pages of this service read the response; PuppetDB lets every origin. */
function originHeaders({ headers: { origin, host } }: IncomingMessage): Record<string, string> {
  if (origin === undefined || host === undefined || URL.parse(origin)?.host !== host) return {};
  return { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
}

/** The name of a function, which may be one of a module: `show`, `dashboard.show`. */
const CALLBACK = /^(?=.{1,128}$)[$A-Z_][0-9A-Z_$]*(?:\.[$A-Z_][0-9A-Z_$]*)*$/i;

/**
 * Refuses callbacks to pages of other origins. Scripts may be loaded across origins, so a callback would bypass the rule
 * that a page reads responses of its own origin alone; browsers state where such a request comes from.
 * @returns the reason; undefined when there is no callback or it is allowed
 */
function callbackRefusal(
  { headers }: IncomingMessage,
  { callback = "" }: Readonly<Record<string, string>>,
): string | undefined {
  if (callback === "") return undefined;
  if (!CALLBACK.test(callback)) {
    return "Invalid callback name given, which must be a valid javascript function name";
  }
  const site = headers["sec-fetch-site"] ?? "none";
  const referer = headers.referer === undefined ? undefined : URL.parse(headers.referer)?.host;
  const isOwn = (site === "none" || site === "same-origin") && (referer === undefined || referer === headers.host);
  return isOwn ? undefined : "Callbacks are not available to pages of other origins";
}

function envelopeResponse(
  envelope: Envelope | readonly Envelope[],
  { callback = "", mimeType }: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  // PuppetDB escapes slashes, which occur only inside strings.
  const text = JSON.stringify(envelope).replaceAll("/", String.raw`\/`);
  const type = callback !== "" ? "text/javascript" : isPlain(mimeType) ? "text/plain" : "application/json";
  const now = Date.now();
  return {
    status: 200,
    headers: {
      "content-type": `${type};charset=utf-8`,
      "cache-control": "no-cache",
      pragma: "no-cache",
      date: new Date(now).toUTCString(),
      expires: new Date(now - 3_600_000).toUTCString(),
      ...headers,
    },
    body: callback === "" ? text : `${callback}(${text});`,
  };
}

/** Any requested type other than JSON is answered as text. */
function isPlain(mimeType: string | undefined): boolean {
  return mimeType !== undefined && mimeType.toLowerCase() !== "application/json";
}

/** The first value of each parameter. */
function firstValues(search: string): Record<string, string> {
  return Object.fromEntries([...formPairs(search)].reverse());
}

/** Decodes the path before it is split, because clients encode the escapes of names too. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const envelope: Schema = object(
  {
    request: { type: "object" },
    value: {},
    timestamp: { type: "integer" },
    status: { type: "integer", description: "Status of the request; the HTTP status is always 200" },
    error: { type: "string" },
    error_type: { type: "string" },
  },
  "status",
);

const segment = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const mbean = segment("mbean", "Its name; * matches any characters", "java.lang:type=Memory");

function operation(summary: string, ...parameters: readonly Parameter[]): Operation {
  return { summary, parameters, responses: { "200": json("The envelope", envelope) } };
}

const bodySchema: Schema = object(
  {
    type: { enum: ["read", "list", "search", "version"] },
    mbean: { type: "string" },
    attribute: { type: ["string", "array"] },
    path: { type: "string" },
  },
  "type",
);

const postOperation: Operation = {
  summary: "Send requests as an object or a list of objects",
  requestBody: {
    content: {
      "application/json": {
        schema: { anyOf: [bodySchema, { type: "array", items: bodySchema }] },
        example: { type: "version" },
      },
    },
  },
  responses: {
    "200": json("An envelope, or one for each request", { anyOf: [envelope, { type: "array", items: envelope }] }),
  },
};
