import type { IncomingMessage } from "node:http";
import type { H3Event } from "h3";
import { CensusError } from "#storage/errors.ts";
import { asResponse, respond } from "../http/answers.ts";
import { forbiddenRequest } from "../http/forbidden.ts";
import { nodeRequest, rawTarget, readBody } from "../http/request.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { type Agent, answerGet, answerPost, type Envelope, refusal } from "../metrics/jolokia/answer.ts";
import { formPairs } from "../query/form-pairs.ts";
import { version } from "../version.ts";

const ROOT = "/metrics/v2";

/** A request for metrics is no larger (bytes). */
const LARGEST_REQUEST = 4 * 1024 * 1024;

/**
 * `/metrics/v2` and all below: Jolokia 1.7 (`reference/metrics.md §1–§5`). The HTTP status is 200 whatever comes of the
 * request. Where the peer allows any origin to read the answer, only the service's own is; who may ask is decided before.
 */
export async function answerMetrics({ store, beans }: MetricsContext, event: H3Event): Promise<Response> {
  const request = nodeRequest(event);
  const { path, search } = rawTarget(event);
  const isPost = request.method === "POST";
  if (!isPost && request.method !== "GET") return asResponse(forbiddenRequest(request, path));
  const given = firstValues(search);
  const headers = originHeaders(request);
  const refused = refuseCallback(request, given);
  if (refused !== undefined) return jolokiaAnswer(refusal(refused), { ...given, callback: "" }, headers);
  const agent: Agent = { beans, now: Number(store.clock.now() / 1_000_000n), version };
  if (!isPost) return jolokiaAnswer(await answerGet(agent, decoded(path.slice(ROOT.length)), given), given, headers);
  try {
    return jolokiaAnswer(await answerPost(agent, await readBody(event, LARGEST_REQUEST), given), given, headers);
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "bad-input") throw error;
    return jolokiaAnswer(refusal(error.message), given, headers);
  }
}

/** The peer echoes every origin; ours is echoed alone. */
function originHeaders({ headers: { origin, host } }: IncomingMessage): Record<string, string> {
  if (origin === undefined || host === undefined || URL.parse(origin)?.host !== host) return {};
  return { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
}

/** A function's name, also one of a module: `show`, `dashboard.show`. */
const CALLBACK = /^(?=.{1,128}$)[$A-Z_][0-9A-Z_$]*(?:\.[$A-Z_][0-9A-Z_$]*)*$/i;

/**
 * A script of any origin may be loaded from anywhere, so a callback is a way around the rule that a page reads answers
 * of its own origin alone: browsers say where such a request comes from, and only our own pages get one.
 * @returns why there is none
 */
function refuseCallback(
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
  return isOwn ? undefined : "A page of another origin gets no answer by callback";
}

function jolokiaAnswer(
  answer: Envelope | readonly Envelope[],
  { callback = "", mimeType }: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Response {
  // The peer escapes slashes; they stand inside strings only.
  const json = JSON.stringify(answer).replaceAll("/", String.raw`\/`);
  const type = callback !== "" ? "text/javascript" : isPlain(mimeType) ? "text/plain" : "application/json";
  const now = Date.now();
  return respond(callback === "" ? json : `${callback}(${json});`, {
    "content-type": `${type};charset=utf-8`,
    "cache-control": "no-cache",
    pragma: "no-cache",
    date: new Date(now).toUTCString(),
    expires: new Date(now - 3_600_000).toUTCString(),
    ...headers,
  });
}

/** Another type than JSON that is asked for is text. */
function isPlain(mimeType: string | undefined): boolean {
  return mimeType !== undefined && mimeType.toLowerCase() !== "application/json";
}

/** Of a parameter that is given several times the first counts. */
function firstValues(search: string): Record<string, string> {
  return Object.fromEntries([...formPairs(search)].reverse());
}

/** The path as it was meant: decoded before it is cut, since clients encode the escapes too. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
