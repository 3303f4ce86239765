import type { JsonObject } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { OpenSource } from "./open-source.ts";

/** Runs a query and reads all its rows. */
export type ReadRows = (query: string) => Promise<JsonObject[]>;

/** Reads rows of a source, for results that are computed of several rows. */
export function rowReader(source: OpenSource, signal?: AbortSignal): ReadRows {
  return async (query) => {
    const { rows } = await source.query(query, { signal });
    const objects: JsonObject[] = [];
    for await (const batch of rows) for (const text of batch) objects.push(rowObject(text));
    return objects;
  };
}
