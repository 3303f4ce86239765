import { type Json, stringifyJson } from "#storage/json.ts";
import type { RecordedRequest } from "../conformance/recording.ts";

/** The request of a query at the root of the API. */
export function requestOf(ast: Json): RecordedRequest {
  const query = encodeURIComponent(stringifyJson(ast));
  return { method: "GET", path: `/pdb/query/v4?query=${query}`, headers: {} };
}
