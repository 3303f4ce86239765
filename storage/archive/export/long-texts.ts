import type { Store } from "../../store.ts";

/** Columns whose texts may be megabytes long, by their tables. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ["long_facts", "value"],
  ["resources", "parameters"],
  ["reports", "logs"],
  ["reports", "metrics"],
  ["reports", "resources"],
];

/** The engine unpacks so many texts of a column at a time. */
const VECTOR = 2048;

/** Bytes that one such step may take of the engine's usual memory, beside what it needs for everything else. */
const LARGEST_VECTOR = 64 * 1024 * 1024;

/** Where a column has texts longer than this, 2,048 of them may not fit into the engine's usual memory. */
const LONG = LARGEST_VECTOR / VECTOR;

/** Whether there are texts so long that an export may need more of the engine's memory; known without reading them. */
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
