import { describe, expect, it } from "vitest";
import { alteredTables, TableVersions, viewTables } from "#storage/engine/table-versions.ts";
import { openDatabase } from "#storage/store-database.ts";

function tables(...names: string[]): Set<string> {
  return new Set(names);
}

describe("versions of tables", () => {
  it.each([
    ["DELETE FROM reports WHERE id > 7", ["reports"]],
    ["DELETE FROM nodes; INSERT INTO nodes FROM kept.nodes", ["nodes", "nodes"]],
    ['CREATE TABLE "a"(id INTEGER); DROP TABLE "b"; ALTER TABLE "a" RENAME TO "b"', ["a", "b", "a"]],
    ["UPDATE facts SET value = ''", ["facts"]],
    ["SELECT max(id) FROM reports", []],
  ])("recognise the tables that a statement alters: %s", (sql, altered) => {
    expect(alteredTables(sql)).toEqual(altered);
  });

  it("change for the tables of a statement, and for no others", () => {
    const versions = new TableVersions();
    const [reports, both, none] = ["SELECT 1 FROM reports r", "SELECT 1 FROM nodes JOIN reports", "SELECT report_id"];
    const all = (): string[] => [reports, both, none].map((sql) => versions.of(sql));
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

  it("of some tables are none while a change of one is committed", () => {
    const versions = new TableVersions();
    const of = ["nodes", "reports"];
    const first = versions.ofTables(of);
    versions.committing({ appended: tables("events"), altered: tables() });
    expect(versions.ofTables(of)).toBe(first);
    versions.ended({ appended: tables("events"), altered: tables() });
    expect(versions.ofTables(of)).toBe(first);
    for (const changes of [
      { appended: tables("reports"), altered: tables() },
      { appended: tables(), altered: tables("nodes") },
    ]) {
      const before = versions.ofTables(of);
      versions.altering("nodes");
      versions.committing(changes);
      expect(versions.ofTables(of)).toBeUndefined();
      versions.ended(changes);
      expect(versions.ofTables(of)).toBeDefined();
      expect(versions.ofTables(of)).not.toBe(before);
    }
    const last = versions.ofTables(of);
    versions.noteAll();
    expect(versions.ofTables(of)).not.toBe(last);
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
