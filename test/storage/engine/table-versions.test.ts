import { describe, expect, it } from "vitest";
import {
  changedPart,
  nullness,
  type Reads,
  ReadTables,
  TableVersions,
  viewTables,
  VOLATILE,
} from "#storage/engine/table-versions.ts";
import type { Transaction } from "#storage/engine/transaction.ts";
import { moveRows } from "#storage/lifecycle/move-rows.ts";
import { openDatabase } from "#storage/store-database.ts";

function tables(...names: string[]): Set<string> {
  return new Set(names);
}

function reading(tables: Readonly<Record<string, "all" | readonly string[]>>): Reads {
  const reads = new ReadTables();
  for (const [table, parts] of Object.entries(tables)) reads.add(table, parts);
  return reads.tables;
}

describe("versions of tables", () => {
  it("change for the tables of a statement, and for no others", () => {
    const versions = new TableVersions();
    const [reports, both, none] = [reading({ reports: "all" }), reading({ nodes: "all", reports: "all" }), reading({})];
    const all = (): string[] => [reports, both, none].map((reads) => versions.of(reads));
    const steps = [
      {
        change: () => versions.ended({ appended: tables("reports"), altered: tables() }),
        changed: [true, true, false],
      },
      { change: () => versions.ended({ appended: tables(), altered: tables("nodes") }), changed: [false, true, false] },
      { change: () => versions.ended({ appended: tables("nodes"), altered: tables() }), changed: [false, true, false] },
      {
        change: () => versions.ended({ appended: tables("events"), altered: tables() }),
        changed: [false, false, false],
      },
      { change: () => versions.noteAll(), changed: [true, true, true] },
    ];
    for (const { change, changed } of steps) {
      const before = all();
      change();
      expect(all().map((version, index) => version !== before[index])).toEqual(changed);
    }
  });

  it("change with the columns of nodes that a statement reads, and with those that it compares with null", () => {
    const versions = new TableVersions();
    const of = (...parts: string[]): void =>
      versions.ended({ appended: tables("nodes"), altered: tables(), parts: new Map([["nodes", new Set(parts)]]) });
    of();
    const [ofStatus, ofNull, ofAll, ofCount] = [
      reading({ nodes: ["report_status"] }),
      reading({ nodes: [nullness("report_status")] }),
      reading({ nodes: "all" }),
      reading({ nodes: [] }),
    ];
    const statements = [ofStatus, ofNull, ofAll, ofCount];
    const changed = (change: () => void): Reads[] => {
      const before = statements.map((reads) => versions.of(reads));
      change();
      return statements.filter((reads, index) => versions.of(reads) !== before[index]);
    };
    expect(changed(() => of("report_end_time"))).toEqual([ofAll]);
    expect(changed(() => of(changedPart("report_status", false, false)))).toEqual([ofStatus, ofAll]);
    expect(changed(() => of(changedPart("report_status", true, false)))).toEqual([ofStatus, ofNull, ofAll]);
    expect(changed(() => versions.ended({ appended: tables("nodes"), altered: tables() }))).toEqual(statements);
  });

  it("do not change with volatile facts for statements that read others only", () => {
    const versions = new TableVersions();
    const [ofSteady, ofBoth] = [reading({ facts: [] }), reading({ facts: "all" })];
    const parts = new Map(["short_facts", "long_facts"].map((table) => [table, new Set([VOLATILE])]));
    const changes = { appended: tables("short_facts", "long_facts"), altered: tables("short_facts", "long_facts") };
    versions.ended(changes);
    const before = [ofSteady, ofBoth].map((reads) => versions.of(reads));
    versions.ended({ ...changes, parts });
    const after = [ofSteady, ofBoth].map((reads) => versions.of(reads));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    versions.ended(changes);
    expect(versions.of(ofSteady)).not.toBe(after[0]);
  });

  it("distinguish rows that are added from those that are altered", () => {
    const versions = new TableVersions();
    const first = versions.ofRows("reports");
    expect(first).toBeDefined();
    versions.altering("nodes");
    versions.ended({ appended: tables("reports"), altered: tables("nodes") });
    expect(versions.ofRows("reports")).toBe(first);
    versions.altering("reports");
    expect(versions.ofRows("reports")).toBeUndefined();
    versions.ended({ appended: tables("reports"), altered: tables("reports") });
    expect(versions.ofRows("reports")).toBeDefined();
    expect(versions.ofRows("reports")).not.toBe(first);
  });

  it("contain the tables of all views", async () => {
    const database = await openDatabase({});
    const rows = await database.rows<{ name: string; sql: string }>(
      "SELECT view_name AS name, sql FROM duckdb_views() WHERE NOT internal",
    );
    const stored = await database.rows<{ name: string }>("SELECT table_name AS name FROM duckdb_tables()");
    const found = rows.map(({ name, sql }) => [
      name,
      stored
        .map((table) => table.name)
        .filter((table) => new RegExp(`\\b${table}\\b`).test(sql))
        .toSorted(),
    ]);
    const sorted = Object.entries(viewTables).map(([name, of]) => [name, of.toSorted()]);
    expect(found).toEqual(sorted);
    await database.close();
  });
});

const whole = async (tx: Transaction): Promise<void> => tx.execute("nodes", "DELETE FROM nodes WHERE id = 1");
const appended = async (tx: Transaction): Promise<void> => (await tx.appender("nodes")).close();

describe("a transaction", () => {
  it("has changed all of a table if one of its statements has, and otherwise what its statements say", async () => {
    const database = await openDatabase({});
    const ofStatus = reading({ nodes: ["report_status"] });
    const isChangedBy = async (...changes: ((tx: Transaction) => Promise<void>)[]): Promise<boolean> => {
      const before = database.versions.of(ofStatus);
      await database.transaction(async (tx) => {
        for (const change of changes) await change(tx);
      });
      return database.versions.of(ofStatus) !== before;
    };
    const ofTime = async (tx: Transaction): Promise<void> => whole(tx.changing(["report_end_time"]));
    await database.transaction(ofTime);
    expect(await isChangedBy(ofTime)).toBe(false);
    expect(await isChangedBy(async (tx) => appended(tx.changing(["report_end_time"])))).toBe(false);
    expect(await isChangedBy(ofTime, async (tx) => whole(tx.changing(["report_status"])))).toBe(true);
    expect(await isChangedBy(ofTime, whole)).toBe(true);
    expect(await isChangedBy(whole, ofTime)).toBe(true);
    expect(await isChangedBy(ofTime, appended)).toBe(true);
    expect(await isChangedBy(async (tx) => moveRows(tx, { table: "nodes", first: 0, last: 10 }))).toBe(false);
    await database.close();
  });
});
