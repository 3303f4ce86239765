import type { FactsBlocklist } from "#storage/ingest/facts-blocklist.ts";
import type { Values } from "./table.ts";

/**
 * Makes the blocklist of its two settings.
 * @throws SyntaxError for an invalid pattern
 */
export function readBlocklist(database: Values["database"]): FactsBlocklist {
  const { "facts-blocklist": items = [], "facts-blocklist-type": type } = database;
  if (type === "literal") return { names: items, patterns: [] };
  return { names: [], patterns: items.map((item) => new RegExp(`^(?:${item})$`)) };
}
