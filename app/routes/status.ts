import { forbiddenRequest } from "../http/forbidden.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, jsonResponse, notFound, textResponse } from "../http/response.ts";
import type { Route, RouteTable } from "../http/route.ts";
import { json, plain, schemaNamed, object } from "../openapi/replies.ts";
import type { Operation, Parameter, Reply, Schema } from "../openapi/types.ts";
import { formPairs } from "../query/form-pairs.ts";
import { type Level, levels, states, worst } from "../status/levels.ts";
import { serviceNames, type ServiceStatus, type StatusSources, statusOf } from "../status/services.ts";

/** The services that the status is read from. */
export interface StatusServices {
  readonly status: StatusSources;
}

/** `/status/v1/**`, by GET alone (`reference/metrics.md §7`). */
export const statusRoutes: RouteTable<StatusServices> = {
  routes: [
    get("services", allOperation, ({ status }, { search }) => answerStatus(status, undefined, search)),
    get("services/:service([^/]*)", oneOperation, ({ status }, { segments, search }) =>
      answerStatus(status, segments["service"], search),
    ),
    get("simple", allSimpleOperation, ({ status }) => answerSimple(status, undefined)),
    get("simple/:service([^/]*)", oneSimpleOperation, ({ status }, { segments }) =>
      answerSimple(status, segments["service"]),
    ),
  ],
  fallbacks: [
    {
      below: "/status",
      methods: ["GET"],
      refuseMethod: forbiddenMethod,
      family: "status",
      metered: "/status",
      handle: () => notFound(),
    },
  ],
};

function get(name: string, operation: () => Operation, handle: Route<StatusServices>["handle"]): Route<StatusServices> {
  return {
    path: `/status/v1/${name}`,
    methods: ["GET"],
    refuseMethod: forbiddenMethod,
    family: "status",
    metered: `/status/v1/${name.split("/")[0]}`,
    describe: () => ({ get: operation() }),
    handle,
  };
}

function forbiddenMethod({ message, path }: HttpRequest): HttpResponse {
  return forbiddenRequest(message, path);
}

/** Seconds that a service may take to report its status; default of the parameter. */
const DEFAULT_TIMEOUT = 30;

async function answerStatus(sources: StatusSources, name: string | undefined, search: string): Promise<HttpResponse> {
  const parameters = readParameters(search);
  if ("msg" in parameters) return jsonResponse({ kind: "data-invalid", msg: parameters.msg }, 400);
  if (!isKnown(name)) {
    return jsonResponse({ kind: "service-not-found", msg: `No status information found for service ${name}` }, 404);
  }
  const statuses = await statusesOf(sources, name, parameters);
  const status = httpStatus(statuses);
  const [only] = statuses;
  if (name === undefined || only === undefined) return jsonResponse(Object.fromEntries(statuses), status);
  return jsonResponse({ ...only[1], service_name: name }, status);
}

async function answerSimple(sources: StatusSources, name: string | undefined): Promise<HttpResponse> {
  if (!isKnown(name)) return textResponse(`not found: ${name}`, 404);
  const statuses = await statusesOf(sources, name, { level: "critical", timeout: DEFAULT_TIMEOUT });
  return textResponse(worst(statuses.map(([, { state }]) => state)), httpStatus(statuses));
}

function isKnown(name: string | undefined): boolean {
  return name === undefined || serviceNames.includes(name);
}

type NamedStatus = readonly [name: string, status: ServiceStatus];

async function statusesOf(
  sources: StatusSources,
  name: string | undefined,
  { level, timeout }: StatusParameters,
): Promise<NamedStatus[]> {
  const names = name === undefined ? serviceNames : [name];
  return Promise.all(names.map(async (each) => [each, await statusOf(sources, each, level, timeout)] as const));
}

function httpStatus(statuses: readonly NamedStatus[]): number {
  return statuses.every(([, { state }]) => state === "running") ? 200 : 503;
}

interface StatusParameters {
  readonly level: Level;
  /** seconds */
  readonly timeout: number;
}

function readParameters(search: string): StatusParameters | { readonly msg: string } {
  const given = new Map([...formPairs(search)].reverse());
  const level = given.get("level") ?? "info";
  const known = levels.find((each) => each === level);
  if (known === undefined) return { msg: `Invalid level: :${level}` };
  const timeout = given.get("timeout");
  if (timeout === undefined) return { level: known, timeout: DEFAULT_TIMEOUT };
  if (!/^[+-]?\d+$/.test(timeout)) return { msg: `Invalid timeout. Should be an integer but was ${timeout}` };
  if (Number(timeout) <= 0) {
    return { msg: `Invalid timeout. Timeout must be greater than zero but was ${Number(timeout)}` };
  }
  return { level: known, timeout: Number(timeout) };
}

const text = { type: "string" } as const;

const service: Schema = object(
  {
    service_name: text,
    service_version: text,
    service_status_version: { type: "integer" },
    detail_level: { enum: levels },
    state: { enum: states },
    status: {},
    active_alerts: { type: "array" },
  },
  "state",
);

const which: Parameter = {
  name: "service",
  in: "path",
  required: true,
  description: "Name of the service",
  schema: { enum: serviceNames },
  example: serviceNames[0],
};

const parameters: readonly Parameter[] = [
  { name: "level", in: "query", description: "How much to report", schema: { enum: levels, default: "info" } },
  {
    name: "timeout",
    in: "query",
    description: "Seconds that a service may take to report",
    schema: { type: "integer", minimum: 1, default: DEFAULT_TIMEOUT },
  },
];

function allOperation(): Operation {
  return {
    summary: "Show the status of every service",
    parameters,
    responses: statusReplies({ type: "object", additionalProperties: service }),
  };
}

function oneOperation(): Operation {
  return {
    summary: "Show the status of one service",
    parameters: [which, ...parameters],
    responses: { ...statusReplies(service), "404": json("Unknown service", schemaNamed("problem")) },
  };
}

function statusReplies(schema: Schema): Operation["responses"] {
  return {
    "200": json("All of them run", schema),
    "400": json("A parameter is invalid", schemaNamed("problem")),
    "503": json("Not all of them run", schema),
  };
}

const word: Reply = { description: "The state", content: { "text/plain": { schema: { enum: states } } } };

function allSimpleOperation(): Operation {
  return {
    summary: "Show the worst state of all services in one word, for load balancers",
    responses: { "200": word, "503": word },
  };
}

function oneSimpleOperation(): Operation {
  return {
    summary: "Show the state of one service in one word",
    parameters: [which],
    responses: { "200": word, "503": word, "404": plain("Unknown service") },
  };
}
