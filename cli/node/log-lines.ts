import { isObject, type Json, type JsonObject } from "#storage/json.ts";

/** The lines of a report's log, from a server as well. */
export function logLines(logs: Json | undefined): JsonObject[] {
  const data = isObject(logs) ? logs["data"] : logs;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
