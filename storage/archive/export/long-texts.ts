import type { Store } from "../../store.ts";

/** Columns whose texts may have megabytes, with their tables. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ["long_facts", "value"],
  ["resources", "parameters"],
  ["catalog_inputs", "name"],
  ["reports", "logs"],
  ["reports", "metrics"],
  ["reports", "resources"],
];

/** If a column has longer texts than this, those of a vector, 64 MB, may not fit into the engine's usual limit. */
const LONG = 32 * 1024;

/**
 * Whether there are texts long enough that an export may need a higher limit for the engine; known without reading them.
 */
export async function hasLongTexts(store: Store): Promise<boolean> {
  const segments = COLUMNS.map(
    ([table, column]) =>
      `SELECT stats FROM pragma_storage_info('${table}') WHERE column_name = '${column}' AND segment_type = 'VARCHAR'`,
  );
  const sql = `SELECT max(TRY_CAST(regexp_extract(stats, 'Max String Length: (\\d+)', 1) AS DOUBLE)) AS longest
    FROM (${segments.join(" UNION ALL ")})`;
  const reading = store.snapshot(async function* ([at]) {
    yield await at.rows<{ longest: number | null }>(sql);
  });
  for await (const [row] of reading) return (row?.longest ?? 0) > LONG;
  return false;
}
