import { join } from "node:path";
import { stringifyJson, type Json } from "#storage/json.ts";
import { readDocuments } from "./ndjson.ts";
import { type ObservedLine, observedLine } from "./observed-line.ts";
import { observedRules } from "./observed-rules.ts";
import type { ExpectedAnswer, RecordedRequest, Recording } from "./recording.ts";

/**
 * Reads oracle/golden-openvoxdb/queries.jsonl. A recording's id is `openvoxdb-<line>`, its category the entity.
 * @throws CensusError (bad-file) when the file is not there or holds something else
 */
export function readObserved(oracle: string): Recording[] {
  const file = join(oracle, "golden-openvoxdb", "queries.jsonl");
  return readDocuments(file, observedLine).map((line, index) => ({
    id: `openvoxdb-${String(index + 1).padStart(3, "0")}`,
    category: categoryOf(line),
    request: requestOf(line),
    rules: observedRules(line),
    expected: [expectedAnswer(line)],
  }));
}

/** The entity of the route; the root endpoint by its language. */
export function categoryOf({ path, params }: Pick<ObservedLine, "path" | "params">): string {
  if (path === "/pdb/query/v4") return params["query"]?.trimStart().startsWith("[") === false ? "pql" : "ast";
  return /^\/pdb\/query\/v4\/([\w-]+)/.exec(path)?.[1] ?? "routes";
}

function requestOf({ method, path, params, headers, body }: ObservedLine): RecordedRequest {
  const query = Object.entries(params).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const target = query.length === 0 ? path : `${path}?${query.join("&")}`;
  if (body === undefined) return { method, path: target, headers };
  const text = typeof body === "string" ? body : stringifyJson(body as Json);
  return { method, path: target, headers: { "Content-Type": "application/json", ...headers }, body: text };
}

function expectedAnswer(line: ObservedLine): ExpectedAnswer {
  const total = line.x_records === undefined ? {} : { "x-records": String(line.x_records) };
  return {
    generation: "OpenVoxDB 9",
    status: line.status,
    headers: { "content-type": line.content_type, ...total },
    text: line.json === undefined ? (line.text ?? "") : stringifyJson(line.json as Json),
  };
}
