import type { JsonObject } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { Store } from "#storage/store.ts";

/** The number of rows of a query, of which each is read. */
export async function rowsOf(store: Store, pql: string): Promise<number> {
  let count = 0;
  for await (const rows of (await store.queries.run(store.queries.plan({ of: "root", pql }))).rows) {
    count += [...rows.texts()].length;
  }
  return count;
}

/** The rows of a query. */
export async function jsonRowsOf(store: Store, pql: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const rows of (await store.queries.run(store.queries.plan({ of: "root", pql }))).rows) {
    for (const text of rows.texts()) found.push(rowObject(text));
  }
  return found;
}
