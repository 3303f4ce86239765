import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import type { Statement } from "#storage/engine/statements.ts";
import { changedPart, TableVersions } from "#storage/engine/table-versions.ts";
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

/** The columns of the table `nodes` that the engine reads for a statement. */
async function columnsRead(database: Database, { sql, values }: Statement): Promise<string[]> {
  const [row] = await database.rows<{ explain_value: string }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  const read = ({ extra_info: info, children }: Step): string[] => {
    const { Table: table, ...rest } = info;
    const isOfNodes = typeof table === "string" && /(?:^|\.)nodes$/.test(table);
    const text = JSON.stringify(rest);
    const own = isOfNodes ? columnNames.filter((column) => new RegExp(`\\b${column}\\b`).test(text)) : [];
    return [...own, ...children.flatMap(read)];
  };
  return [...new Set((JSON.parse(row?.explain_value ?? "[]") as Step[]).flatMap(read))];
}

/** Whether the version of a statement changes with a part of the table `nodes`. */
function isNoticed(sql: string, part: string): boolean {
  const versions = new TableVersions();
  const change = (...parts: string[]): void =>
    versions.ended({ appended: new Set(["nodes"]), altered: new Set(), parts: new Map([["nodes", new Set(parts)]]) });
  change();
  const before = versions.of(sql);
  change(part);
  return versions.of(sql) !== before;
}

it("a statement's version changes with each column of nodes that the engine reads for it", async () => {
  const plans = plansNamed(namesIn(readFileSync(join(import.meta.dirname, "recorded.txt"), "utf8")));
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  const store = await Store.over(database, options);
  for (const submission of population) await store.submit(submission);
  await store.save();
  const [missed, onlyNull]: [string[], string[]] = [[], []];
  let read = 0;
  for (const { rows } of plans) {
    for (const column of await columnsRead(database, rows)) {
      read++;
      if (!isNoticed(rows.sql, changedPart(column, true, false))) missed.push(`${column}: ${rows.sql}`);
      if (!isNoticed(rows.sql, changedPart(column, false, false))) onlyNull.push(column);
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
