import { CensusError } from "#storage/errors.ts";
import { formatTimestamp, type Timestamp } from "#storage/time.ts";
import type { Rows } from "../output/rows.ts";
import type { Contact } from "./contact.ts";
import { nameOf, send } from "./http.ts";
import { responseError, responseRows, unpacked } from "./server.ts";

const PATH = "/pdb/ext/v1/sql";

/** What servers without this path answer; PuppetDB leads to its dashboard. */
const noRoute = [302, 404];

export interface ServerSqlOptions {
  /** Whether to include deactivated and expired nodes. */
  readonly inactive: boolean;
  /** The time whose state is read; undefined: the present one. */
  readonly asOf?: Timestamp | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an SQL statement on a server and waits for its response to start.
 * @throws CensusError "bad-input" when the statement is not allowed, "not-found" when the server has no SQL
 */
export async function sqlOnServer(contact: Contact, query: string, options: ServerSqlOptions): Promise<Rows> {
  const { signal, inactive, asOf } = options;
  const past = asOf === undefined ? {} : { as_of: formatTimestamp(asOf) };
  const { url, response } = await send(contact, {
    path: PATH,
    method: "POST",
    headers: { accept: "application/json", "accept-encoding": "gzip", "content-type": "application/json" },
    body: JSON.stringify({ query, inactive, ...past }),
    signal,
  });
  const body = unpacked(response);
  if (response.statusCode === 200) return responseRows(url, body, signal);
  const error = await responseError(url, response.statusCode ?? 0, body);
  if (!noRoute.includes(response.statusCode ?? 0)) throw error;
  throw new CensusError(
    "not-found",
    `${nameOf(url)} does not answer SQL: it is PuppetDB or an older Census; ` +
      "query it in PQL or AST (census query), or run census sql on an export of it",
  );
}
