import type { Database } from "../engine/database.ts";
import { GROUP_ROWS, VECTOR_ROWS } from "../engine/file-layout.ts";
import { databaseFile } from "../store-database.ts";
import { engineMessage, type OpenedFile, type Stored } from "./open-stored.ts";
import { type Report, RESTORE } from "./finding.ts";

interface Column {
  readonly table: string;
  readonly name: string;
}

/** Reads every value of every table. */
export async function verifyTables(
  { database }: OpenedFile,
  report: Report,
): Promise<{ tables: number; rows: number }> {
  const columns = await database.rows<Column>(
    `SELECT table_name AS "table", column_name AS name FROM duckdb_columns()
      WHERE table_oid IN (SELECT table_oid FROM duckdb_tables() WHERE NOT internal) ORDER BY 1, column_index`,
  );
  const tables = [...new Set(columns.map(({ table }) => table))];
  let rows = 0;
  for (const table of tables) {
    const most = await lastRow(database, table, report);
    rows += most.count;
    for (const column of columns.filter((each) => each.table === table)) {
      await verifyColumn(database, column, most.last, report);
    }
  }
  return { tables: tables.length, rows };
}

async function lastRow(database: Database, table: string, report: Report): Promise<{ count: number; last: number }> {
  try {
    const [row] = await database.rows<{ count: number; last: number }>(
      `SELECT count(*)::DOUBLE AS count, coalesce(max(rowid), -1)::DOUBLE AS last FROM "${table}"`,
    );
    return row ?? { count: 0, last: -1 };
  } catch (error) {
    report({
      severity: "damaged",
      place: `${databaseFile}: table ${table}`,
      problem: engineMessage(error),
      remedy: RESTORE,
    });
    return { count: 0, last: -1 };
  }
}

async function verifyColumn(database: Database, column: Column, last: number, report: Report): Promise<void> {
  const damaged: { from: number; to: number; words: string }[] = [];
  const search = async (from: number, to: number): Promise<void> => {
    const words = await readError(database, column, from, to);
    if (words === undefined) return;
    if (to - from < VECTOR_ROWS) {
      const before = damaged.at(-1);
      if (before?.to === from - 1 && before.words === words) before.to = to;
      else damaged.push({ from, to, words });
      return;
    }
    const size = Math.max(VECTOR_ROWS, Math.ceil((to - from + 1) / 2 / VECTOR_ROWS) * VECTOR_ROWS);
    await search(from, from + size - 1);
    if (from + size <= to) await search(from + size, to);
  };
  if ((await readError(database, column, 0, last)) === undefined) return;
  for (let from = 0; from <= last; from += GROUP_ROWS) await search(from, Math.min(last, from + GROUP_ROWS - 1));
  for (const { from, to, words } of damaged) {
    report({
      severity: "damaged",
      place: `${databaseFile}: table ${column.table}, column ${column.name}, rows ${from} to ${to}`,
      problem: words,
      remedy: RESTORE,
    });
  }
}

/** The engine's message where these rows' values of a column are unreadable; undefined where they are readable. */
async function readError(
  database: Database,
  { table, name }: Column,
  from: number,
  to: number,
): Promise<string | undefined> {
  try {
    await database.rows(`SELECT max(hash("${name}")) FROM "${table}" WHERE rowid BETWEEN ${from} AND ${to}`);
    return undefined;
  } catch (error) {
    return engineMessage(error);
  }
}

export async function storedIn({ database }: OpenedFile): Promise<Stored> {
  const [progress] = await database
    .rows<{ queue: string; applied: bigint }>("SELECT queue, applied FROM queue_progress")
    .catch(() => []);
  const [identity] = await database.rows<{ id: string }>("SELECT id FROM store_identity").catch(() => []);
  return { store: identity?.id ?? "", queue: progress?.queue ?? "", applied: Number(progress?.applied ?? 0) };
}
