import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { CensusError, messageOf } from "#storage/errors.ts";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { SILENT_AFTER_MS, type SilentAfter } from "#storage/states/node-state.ts";
import { formatTimestamp, parseTimestamp, systemClock, type Timestamp } from "#storage/time.ts";
import type { Rows } from "../output/rows.ts";
import { arrayElements } from "./array-elements.ts";
import type { Contact } from "./contact.ts";
import { fetchPath, type Inquiry, nameOf, type Reply, send, Unreachable } from "./http.ts";
import type { Answer, QueryOptions, SqlQueryOptions } from "./open-source.ts";

const PATH = "/pdb/query/v4";
const EXPLORER = "/explorer/api/v1/";
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
  // Proxies refuse long addresses.
  const inquiry = search.length > 4000 ? posted(PATH, parameters) : { path: search };
  const { url, response, body } = await ask(contact, { ...inquiry, signal });
  const total = Number(response.headers["x-records"]);
  return {
    rows: responseRows(url, body, signal),
    total: options.withTotal === true && Number.isSafeInteger(total) ? total : undefined,
  };
}

/**
 * Runs an SQL statement on a server and waits for its response to start.
 * @throws CensusError "bad-input" when the statement is not allowed, "not-found" when the server has no SQL
 */
export async function sqlOnServer(
  contact: Contact,
  query: string,
  { inactive, asOf, signal }: SqlQueryOptions & Pick<ServerQueryOptions, "asOf">,
): Promise<Rows> {
  const past = asOf === undefined ? {} : { as_of: formatTimestamp(asOf) };
  const asked = ask(contact, { ...posted("/pdb/ext/v1/sql", { query, inactive, ...past }), signal });
  const { url, body } = await asked.catch(
    instead(
      "does not answer SQL: it is PuppetDB or an older Census; query it in PQL or AST (census query), or run census sql on an export of it",
    ),
  );
  return responseRows(url, body, signal);
}

/** Reads an endpoint of the explorer of a Census. @throws CensusError "not-found" where the server has none */
export async function readExplorer(
  contact: Contact,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<Json> {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const asked = ask(contact, { path: `${EXPLORER}${path}?${new URLSearchParams(given).toString()}` });
  const { body } = await asked.catch(
    instead(
      "has no explorer: it is PuppetDB, an older Census, or the setting explorer is false; use an export of it, or a copy: census import URL --data DIR",
      (error) => /\bissue /.test(error.message),
    ),
  );
  return parseJson(await text(body));
}

/**
 * Sends a request, and waits for its response to start.
 * @returns the response with its body as it was before it was compressed
 * @throws CensusError with the server's words for a response other than 200
 */
export async function ask(
  contact: Contact,
  inquiry: Inquiry,
): Promise<Reply & { readonly body: NodeJS.ReadableStream }> {
  const headers = { accept: "application/json", "accept-encoding": "gzip", ...inquiry.headers };
  const reply = await send(contact, { ...inquiry, headers });
  const body = unpacked(reply.response);
  const { statusCode = 0 } = reply.response;
  if (statusCode !== 200) throw await responseError(reply.url, statusCode, body);
  return { ...reply, body };
}

/** A request with a JSON body. */
export function posted(path: string, body: object): Inquiry {
  return { path, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Says what is missing where a server does not know a path; PuppetDB leads to its dashboard. */
function instead(missing: string, isOther = (_error: Refusal): boolean => false) {
  return (error: unknown): never => {
    const isUnknown = error instanceof Refusal && (error.status === 302 || error.status === 404) && !isOther(error);
    throw isUnknown ? new CensusError("not-found", `${error.server} ${missing}`) : error;
  };
}

/**
 * The clock of a server, which is not that of this machine where it serves an archive; this machine's where the server does
 * not say.
 */
export async function serverTime(contact: Contact): Promise<Timestamp> {
  const answer = await readObject(contact, "/pdb/meta/v1/server-time", TIME_TIMEOUT).catch(() => undefined);
  const time = answer?.["server_time"];
  return (typeof time === "string" ? parseTimestamp(time) : undefined) ?? systemClock.now();
}

/** The setting of the server; the default of one without it. */
export async function silentAfter(contact: Contact): Promise<SilentAfter> {
  const about = await readObject(contact, `${EXPLORER}about`, TIME_TIMEOUT).catch(() => undefined);
  const settings = about?.["settings"] ?? null;
  const seconds = isObject(settings) ? settings["silentAfter"] : undefined;
  if (seconds === null) return "interval";
  return typeof seconds === "number" ? seconds * 1000 : SILENT_AFTER_MS;
}

/** An object that a server returns; undefined where it does not. @param seconds time limit */
export async function readObject(contact: Contact, path: string, seconds: number): Promise<JsonObject | undefined> {
  const { status, body } = await fetchPath(contact, path, seconds);
  const answer = status === 200 ? parseJson(body) : null;
  return isObject(answer) ? answer : undefined;
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
function unpacked(response: IncomingMessage): NodeJS.ReadableStream {
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
  /** The server's name in messages. */
  readonly server: string;

  constructor(url: URL, status: number, message: string) {
    const server = nameOf(url);
    super(status === 404 ? "not-found" : "bad-file", `${server} returned HTTP ${status}: ${message}`);
    this.status = status;
    this.server = server;
  }
}

/** The error that a response other than 200 is. */
async function responseError(url: URL, status: number, body: NodeJS.ReadableStream): Promise<CensusError> {
  const message = (await text(body as AsyncIterable<string>).catch(messageOf)).slice(0, 1000);
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
