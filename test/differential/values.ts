import { CensusError } from "#storage/errors.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import type { Client } from "../conformance/request.ts";
import { compared, type KnownValues } from "./queries.ts";
import { rootRequest } from "./requests.ts";

/** Rows that are read of each entity, and values that are kept of each field. */
const [ROWS, VALUES] = [400, 60];

/** Characters of a value; longer ones make queries that no URL can carry. */
const MAX_LENGTH = 200;

/**
 * Reads values of all fields from a server.
 * @throws CensusError (unavailable) where it does not answer with rows
 */
export async function readValues(client: Client): Promise<KnownValues> {
  const known = new Map<string, Map<string, Json>>();
  for (const { name } of compared) {
    const { status, text } = await client.send(rootRequest(["from", name, ["limit", ROWS]]).request);
    // PuppetDB has no answer for some entities at the root.
    const rows = status === 200 ? parseJson(text) : [];
    if (!Array.isArray(rows)) continue;
    for (const row of rows) {
      for (const [field, value] of Object.entries(isObject(row) ? row : { name: row })) {
        const written = stringifyJson(value);
        const values = known.get(`${name}.${field}`) ?? new Map<string, Json>();
        if (written.length <= MAX_LENGTH && values.size < VALUES) values.set(written, value);
        known.set(`${name}.${field}`, values);
      }
    }
  }
  if (known.size === 0) throw new CensusError("unavailable", "no entity has rows: is the population loaded?");
  return (entity, field) => [...(known.get(`${entity}.${field}`)?.values() ?? ["Linux", "Debian", "present", "0644"])];
}
