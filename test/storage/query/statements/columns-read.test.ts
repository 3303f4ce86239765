import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import type { Statement } from "#storage/engine/statements.ts";
import { changedPart, type Reads, TableVersions } from "#storage/engine/table-versions.ts";
import { columnNames } from "#storage/nodes/columns.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { NOW, population } from "#test/fixture-store.ts";
import { plansNamed } from "./recorded-requests.ts";
import { namesIn } from "./statement-list.ts";

/** A step of the engine's plan. */
interface Step {
  readonly name: string;
  readonly children: readonly Step[];
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>;
}

/** The steps of the engine's plan for a statement. */
async function stepsOf(database: Database, { sql, values }: Statement): Promise<Step[]> {
  const [row] = await database.rows<{ explain_value: string }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  return JSON.parse(row?.explain_value ?? "[]") as Step[];
}

/** The tables that the engine reads. */
function tablesRead(steps: readonly Step[]): string[] {
  const read = ({ extra_info: { Table: table }, children }: Step): string[] => [
    ...(typeof table === "string" ? [table.replace(/^.*\./, "")] : []),
    ...children.flatMap(read),
  ];
  return [...new Set(steps.flatMap(read))];
}

/** The columns of the table `nodes` that the engine reads. */
function columnsRead(steps: readonly Step[]): string[] {
  const read = ({ extra_info: info, children }: Step): string[] => {
    const { Table: table, ...rest } = info;
    const isOfNodes = typeof table === "string" && /(?:^|\.)nodes$/.test(table);
    const text = JSON.stringify(rest);
    const own = isOfNodes ? columnNames.filter((column) => new RegExp(`\\b${column}\\b`).test(text)) : [];
    return [...own, ...children.flatMap(read)];
  };
  return [...new Set(steps.flatMap(read))];
}

/** Whether the version of a statement changes with a part of the table `nodes`. */
function isNoticed(reads: Reads, part: string): boolean {
  const versions = new TableVersions();
  const change = (...parts: string[]): void =>
    versions.ended({ appended: new Set(["nodes"]), altered: new Set(), parts: new Map([["nodes", new Set(parts)]]) });
  change();
  const before = versions.of(reads);
  change(part);
  return versions.of(reads) !== before;
}

it("a statement's version changes with each table, and each column of nodes, that the engine reads for it", async () => {
  const plans = plansNamed(namesIn(readFileSync(join(import.meta.dirname, "recorded.txt"), "utf8")));
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  const store = await Store.over(database, options);
  for (const submission of population) await store.submit(submission);
  await store.save();
  const [missed, onlyNull]: [string[], string[]] = [[], []];
  let read = 0;
  for (const { rows } of plans) {
    const steps = await stepsOf(database, rows);
    missed.push(...tablesRead(steps).flatMap((table) => (rows.reads.has(table) ? [] : [`${table}: ${rows.sql}`])));
    // A row keeps its id.
    for (const column of columnsRead(steps).filter((name) => name !== "id")) {
      read++;
      if (!isNoticed(rows.reads, changedPart(column, true, false))) missed.push(`${column}: ${rows.sql}`);
      if (!isNoticed(rows.reads, changedPart(column, false, false))) onlyNull.push(column);
    }
  }
  await store.close();
  expect(missed).toEqual([]);
  expect(read).toBeGreaterThan(300);
  // These are compared with null and read nowhere else in some statements.
  expect([...new Set(onlyNull)].sort()).toEqual([
    "catalog_hash",
    "deactivated",
    "expired",
    "facts_timestamp",
    "report_end_time",
    "report_id",
  ]);
});
