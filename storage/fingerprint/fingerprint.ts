import { createHash } from "node:crypto";
import { quotedText } from "../engine/quoted-text.ts";
import type { SqlValue } from "../engine/sql-value.ts";
import { type ComparedTable, comparedTables, referred } from "./tables.ts";

/** What reads the tables, all of them in one state. */
interface TableReader {
  rows<T>(sql: string, values?: readonly SqlValue[]): Promise<T[]>;
}

/** What distinguishes the content of a store from any other. Equal contents have equal ones, whatever their ids and order. */
export interface Fingerprint {
  /** How far the queue is stored that the content is of. */
  readonly position: number;
  /** Of all tables. */
  readonly content: string;
  /** Of each table: its rows, and two sums of their digests. */
  readonly tables: Readonly<Record<string, string>>;
}

/**
 * Reads all tables.
 * @param onBegun called once it is settled which state is read
 */
export async function fingerprint(reader: TableReader, onBegun?: () => void): Promise<Fingerprint> {
  const [progress] = await reader.rows<{ applied: bigint }>("SELECT applied FROM queue_progress");
  onBegun?.();
  const tables: Record<string, string> = {};
  for (const table of comparedTables) {
    const [row] = await reader.rows<{ fingerprint: string }>(statementOf(table));
    tables[table.name] = row?.fingerprint ?? "";
  }
  const content = createHash("sha256").update(JSON.stringify(tables)).digest("hex");
  return { position: Number(progress?.applied ?? 0), content, tables };
}

/** Sums of digests are the same in any order, and count repeated rows. */
function statementOf({ name, columns, ids = {}, condition = "true" }: ComparedTable): string {
  const joins: string[] = [];
  const cells = columns.map((column) => `t."${column}"`);
  for (const [column, reference] of Object.entries(ids)) {
    if (reference === "own") continue;
    const { table, key } = referred[reference];
    joins.push(
      `LEFT JOIN (SELECT id, ${key} AS key FROM ${table} WHERE id > 0) "${column}" ON "${column}".id = t."${column}"`,
    );
    // An id that leads nowhere is not the same as none.
    cells.push(`if(t."${column}" IS NULL, NULL, coalesce("${column}".key, ${quotedText("missing")}))`);
  }
  return `SELECT concat_ws(' ', count(*), coalesce(sum(md5_number_lower(row)), 0), coalesce(sum(md5_number_upper(row)), 0))
      AS fingerprint
    FROM (SELECT json_array(${cells.join(", ")})::VARCHAR AS row FROM "${name}" t ${joins.join(" ")}
      WHERE ${condition.replace(/^(?=\w+ )/, "t.")})`;
}
