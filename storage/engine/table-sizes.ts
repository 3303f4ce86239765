import type { Database } from "./database.ts";

/** The most rows of a row group, which is what the engine's files are made for. */
export const GROUP_ROWS = 122_880;

/** In a table with more rows, the engine may unpack many values besides those that it looks for. */
const LARGE = 2 * GROUP_ROWS;

/** Sizes that are older than this are read again (ms). */
const MAX_AGE = 60_000;

/** How many rows the tables have, as of a short time ago. */
export class TableSizes {
  readonly #database: Pick<Database, "rows">;
  #rows: ReadonlyMap<string, number> = new Map();
  #readAt = -Infinity;

  constructor(database: Pick<Database, "rows">) {
    this.#database = database;
  }

  /** Whether a table is so large that finding few of its rows is worth a longer statement; false until sizes have been read. */
  isLarge(table: string): boolean {
    if (performance.now() - this.#readAt > MAX_AGE) {
      this.#readAt = performance.now();
      // Without the new sizes, or while the store is being closed, statements are as for the old ones.
      this.#read().catch(() => undefined);
    }
    return (this.rowsOf(table) ?? 0) > LARGE;
  }

  /** About how many rows a table has; undefined until {@link isLarge} has read the sizes. */
  rowsOf(table: string): number | undefined {
    return this.#rows.get(table);
  }

  async #read(): Promise<void> {
    const sql = "SELECT table_name AS name, estimated_size::DOUBLE AS size FROM duckdb_tables()";
    const rows = await this.#database.rows<{ name: string; size: number }>(sql);
    this.#rows = new Map(rows.map(({ name, size }) => [name, size]));
  }
}
