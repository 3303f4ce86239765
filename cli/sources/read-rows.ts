import type { JsonObject } from "#storage/json.ts";
import { objectsOf } from "../output/rows.ts";
import type { Answer, QueryOptions } from "./open-source.ts";

/** Runs a query and reads all its rows. */
export type ReadRows = (query: string) => Promise<JsonObject[]>;

interface QueriedSource {
  query(query: string, options: QueryOptions): Promise<Answer>;
}

/** Reads rows of a source, for results that are computed of several rows. */
export function rowReader(source: QueriedSource, signal?: AbortSignal): ReadRows {
  return async (query) => {
    const { rows } = await source.query(query, { signal });
    return objectsOf(rows);
  };
}
