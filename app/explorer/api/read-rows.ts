import { parseJson } from "#storage/json.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Queries } from "#storage/query/queries.ts";

/**
 * All rows of a query, for those that have few. Numbers that JavaScript cannot represent are exact (`storage/json.ts`).
 * @param signal ends the query
 * @throws as `Queries.plan` and `Queries.ask` do
 */
export async function readRows<Row>(queries: Queries, spec: QuerySpec, signal: AbortSignal): Promise<Row[]> {
  const found: Row[] = [];
  const { rows } = await queries.run(queries.plan(spec), { signal });
  for await (const batch of rows) found.push(...batch.texts().map((text) => parseJson(text) as Row));
  return found;
}
