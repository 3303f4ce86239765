import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { declaredAt } from "../short-forms/events.ts";
import { equal } from "../short-forms/pql.ts";

/** A resource that failed, or an error of a run that failed otherwise. */
export interface Failure {
  readonly resource: string | null;
  readonly message: string | null;
  readonly declared: string | null;
}

/** The failed resources of the latest run; if it failed without any, the errors of its log. */
export async function failuresOf(
  node: JsonObject,
  rowsOf: (entity: string, fields: readonly string[], ...conditions: string[]) => Promise<JsonObject[]>,
): Promise<Failure[]> {
  const hash = equal("hash", textOrNull(node["latest_report_hash"]) ?? "") ?? "";
  const fields = ["resource_type", "resource_title", "message", "file", "line"];
  const events = await rowsOf("events", fields, hash.replace("hash", "report"), 'status = "failure"');
  if (events.length > 0) {
    return events.map(({ resource_type: type, resource_title: title, message, file, line }) => ({
      resource: `${textOrNull(type)}[${textOrNull(title)}]`,
      message: textOrNull(message),
      declared: declaredAt(file, line),
    }));
  }
  const reports = await rowsOf("reports", ["logs"], hash);
  return reports
    .flatMap(({ logs }) => logLines(logs))
    .flatMap(({ level, message, file, line }) =>
      level === "err" ? [{ resource: null, message: textOrNull(message), declared: declaredAt(file, line) }] : [],
    );
}

/** A text; null for anything else. */
export function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** The lines of a report's log, from a server as well. */
export function logLines(logs: Json | undefined): JsonObject[] {
  const data = isObject(logs) ? logs["data"] : logs;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
