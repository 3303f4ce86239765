import type { SqlValue } from "../../engine/sql-value.ts";

/** What the SQL of a statement is written with. */
export interface Writer {
  /** Adds a parameter to the statement and returns its placeholder. */
  value(value: SqlValue): string;
  /** Notes that the statement reads a stored table, of `nodes` and of facts possibly only some parts. */
  read(table: string, parts?: "all" | readonly string[]): void;
}
