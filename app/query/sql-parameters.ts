import { CensusError, messageOf } from "#storage/errors.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import type { Timestamp } from "#storage/time.ts";
import { moment } from "./conversions.ts";
import { formPairs } from "./form-pairs.ts";

/** The parameters of a request with SQL. */
export interface SqlParameters {
  readonly query: string;
  /** In seconds; undefined: the server's. */
  readonly timeout: number | undefined;
  readonly inactive: boolean;
  /** The time whose state is read; undefined: the present one. */
  readonly asOf: Timestamp | undefined;
  /** Those that only some endpoints have, by name. */
  readonly others: Readonly<Record<string, Json>>;
}

const names: readonly string[] = ["query", "timeout", "inactive", "as_of"];

/**
 * Reads the parameters of a URL, or of a body, which is JSON.
 * @param more names of parameters that the endpoint has besides
 * @throws CensusError "bad-input" naming the parameter
 */
export function readSqlParameters(
  search: string,
  body: string | undefined,
  more: readonly string[] = [],
): SqlParameters {
  const known = [...names, ...more];
  const given = body === undefined ? ofSearch(search) : ofBody(body);
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw refused(`Unsupported query parameter '${name}'; there are ${known.join(", ")}`);
  }
  const { query, timeout = null, inactive = false, as_of: asOf, ...others } = given;
  if (typeof query !== "string") throw refused("query: an SQL statement is required");
  // Zero would be no limit.
  const seconds = timeout === null ? undefined : Number(timeout);
  if (seconds !== undefined && !(seconds > 0 && Number.isFinite(seconds))) {
    throw refused(`timeout: a number of seconds above 0, not ${stringifyJson(timeout)}`);
  }
  if (typeof inactive !== "boolean") throw refused(`inactive: true or false, not ${stringifyJson(inactive)}`);
  if (asOf !== undefined && typeof asOf !== "string") throw refused(`as_of: a time, not ${stringifyJson(asOf)}`);
  const time = asOf === undefined ? undefined : moment("as_of", asOf);
  return { query, timeout: seconds, inactive, asOf: time, others };
}

function ofSearch(search: string): Readonly<Record<string, Json>> {
  const pairs = formPairs(search);
  const repeated = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) < index);
  if (repeated !== undefined) throw refused(`'${repeated[0]}' was given more than once`);
  const flags: Readonly<Record<string, Json>> = { true: true, false: false };
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, name === "inactive" ? (flags[value] ?? value) : value]),
  );
}

function ofBody(body: string): Readonly<Record<string, Json>> {
  let value: Json;
  try {
    value = parseJson(body);
  } catch (error) {
    throw refused(`the body is not valid JSON: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw refused("the body must be an object with a query");
  return value;
}

function refused(message: string): CensusError {
  return new CensusError("bad-input", message);
}
