import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { CensusError, messageOf } from "#storage/errors.ts";
import { isObject, type Json, parseJson } from "#storage/json.ts";
import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";
import { formatTimestamp, parseTimestamp, systemClock, type Timestamp } from "#storage/time.ts";
import { arrayElements } from "./array-elements.ts";
import type { Contact } from "./contact.ts";
import { fetchPath, nameOf, send, Unreachable } from "./http.ts";
import type { Answer, QueryOptions } from "./open-source.ts";

/** Longer URLs are avoided by sending the query in the body. */
const LONGEST_URL = 4000;
/** Maximum characters of a server's error that are shown. */
const LONGEST_ERROR = 1000;

const PATH = "/pdb/query/v4";
const TIME_PATH = "/pdb/meta/v1/server-time";
const ABOUT_PATH = "/explorer/api/v1/about";
/** Seconds that a server may take to say what time it is, and when nodes are silent. */
const TIME_TIMEOUT = 5;

/** Options of a query that a server answers. */
export interface ServerQueryOptions extends QueryOptions {
  /** The time whose state is queried. */
  readonly asOf?: Timestamp | undefined;
}

/**
 * Runs a query on a server, Census or PuppetDB, and waits for its response to start. There is no time limit here: the
 * server has one for queries.
 * @param query PQL, or AST as JSON text
 * @throws CensusError "bad-input" when the server rejects the query (400), else "bad-file" or "not-found"
 */
export async function queryServer(contact: Contact, query: string, options: ServerQueryOptions = {}): Promise<Answer> {
  const { signal } = options;
  const parameters = parametersOf(query, options);
  const search = `${PATH}?${new URLSearchParams(textsOf(parameters)).toString()}`;
  const isLong = search.length > LONGEST_URL;
  const headers = { accept: "application/json", "accept-encoding": "gzip" };
  const { url, response } = await send(
    contact,
    isLong
      ? {
          path: PATH,
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(parameters),
          signal,
        }
      : { path: search, headers, signal },
  );
  const body = unpacked(response);
  if (response.statusCode !== 200) throw await responseError(url, response.statusCode ?? 0, body);
  const total = Number(response.headers["x-records"]);
  return {
    rows: responseRows(url, body, signal),
    total: options.withTotal === true && Number.isSafeInteger(total) ? total : undefined,
  };
}

/**
 * The clock of a server, which is not that of this machine where it serves an archive; this machine's where the server does
 * not say.
 */
export async function serverTime(contact: Contact): Promise<Timestamp> {
  try {
    const { status, body } = await fetchPath(contact, TIME_PATH, TIME_TIMEOUT);
    const answer = status === 200 ? parseJson(body) : null;
    const time = isObject(answer) ? answer["server_time"] : undefined;
    return (typeof time === "string" ? parseTimestamp(time) : undefined) ?? systemClock.now();
  } catch {
    return systemClock.now();
  }
}

/** Milliseconds without a report after which a node is silent: the server's setting; the default of one without it. */
export async function silentAfter(contact: Contact): Promise<number> {
  try {
    const { status, body } = await fetchPath(contact, ABOUT_PATH, TIME_TIMEOUT);
    const about = status === 200 ? parseJson(body) : null;
    const settings = isObject(about) ? (about["settings"] ?? null) : null;
    const seconds = isObject(settings) ? settings["silentAfter"] : undefined;
    return typeof seconds === "number" ? seconds * 1000 : SILENT_AFTER_MS;
  } catch {
    return SILENT_AFTER_MS;
  }
}

const EXPLORER = "/explorer/api/v1/";

/** Reads an endpoint of the explorer of a Census. @throws CensusError "not-found" where the server has none */
export async function readExplorer(
  contact: Contact,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<Json> {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const { url, response } = await send(contact, {
    path: `${EXPLORER}${path}?${new URLSearchParams(given).toString()}`,
    headers: { accept: "application/json", "accept-encoding": "gzip" },
  });
  const body = unpacked(response);
  if (response.statusCode === 200) return parseJson(await text(body));
  const error = await responseError(url, response.statusCode ?? 0, body);
  if (response.statusCode === 404 && /issue/.test(error.message)) throw error;
  if (response.statusCode !== 302 && response.statusCode !== 404) throw error;
  throw new CensusError(
    "not-found",
    `${nameOf(url)} has no explorer: it is PuppetDB, an older Census, or the setting explorer is false; use an export of it`,
  );
}

type Parameters = Readonly<Record<string, string | number | boolean | readonly object[]>>;

function parametersOf(
  query: string,
  { explain = false, paging = {}, withTotal = false, asOf }: ServerQueryOptions,
): Parameters {
  const { orderBy = [], limit, offset } = paging;
  const order = orderBy.map(({ field, descending }) => ({ field, order: descending ? "desc" : "asc" }));
  return {
    query,
    ...(explain ? { explain: "analyze" } : {}),
    ...(order.length === 0 ? {} : { order_by: order }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(withTotal ? { include_total: true } : {}),
    ...(asOf === undefined ? {} : { as_of: formatTimestamp(asOf) }),
  };
}

function textsOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** The body as it was before it was compressed. */
export function unpacked(response: IncomingMessage): NodeJS.ReadableStream {
  if (response.headers["content-encoding"] !== "gzip") return response;
  const gunzip = createGunzip();
  response.on("error", (error) => gunzip.destroy(error));
  gunzip.on("close", () => response.destroy());
  return response.pipe(gunzip);
}

/**
 * The rows of a response, which is a JSON array, as they arrive.
 * @param most characters that it may have
 */
export async function* responseRows(
  url: URL,
  body: NodeJS.ReadableStream,
  signal: AbortSignal | undefined,
  most = Infinity,
): AsyncGenerator<string[]> {
  try {
    body.setEncoding("utf8");
    yield* arrayElements(limited(url, body as AsyncIterable<string>, most));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CensusError) throw error;
    throw error instanceof SyntaxError
      ? new CensusError(
          "bad-file",
          `${nameOf(url)}: the response is not a JSON array, or was truncated: ${error.message}`,
        )
      : new Unreachable(url, error);
  }
}

async function* limited(url: URL, chunks: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most)
      throw new CensusError("bad-file", `${nameOf(url)}: the response has more than ${most} characters`);
    yield chunk;
  }
}

/** A response other than 200, and other than 400. */
export class Refusal extends CensusError {
  readonly status: number;

  constructor(url: URL, status: number, message: string) {
    super(status === 404 ? "not-found" : "bad-file", `${nameOf(url)} returned HTTP ${status}: ${message}`);
    this.status = status;
  }
}

/** The error that a response other than 200 is. */
export async function responseError(url: URL, status: number, body: NodeJS.ReadableStream): Promise<CensusError> {
  const message = (await text(body as AsyncIterable<string>).catch(messageOf)).slice(0, LONGEST_ERROR);
  if (status === 401) return new Refusal(url, status, credentialsProblem(message));
  if (status === 400) return new CensusError("bad-input", message);
  return new Refusal(url, status, message);
}

/** What is wrong with the credentials, and what to do: the answers are Puppet Enterprise's. */
function credentialsProblem(body: string): string {
  const [, kind = ""] = /"kind": *"puppetlabs\.rbac\/([\w-]+)"/.exec(body) ?? [];
  const [, problem = body] = /"msg": *"([^"\\]+)"/.exec(body) ?? [];
  const text = problem.replace(/\.$/, "");
  if (kind === "user-unauthenticated") return `${text}; name a file with a token with --token`;
  return kind === "" ? text : `${text}; create another with census token create`;
}
