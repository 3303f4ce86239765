import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { factTable, spacersAfter } from "#storage/ingest/write/fact-tables.ts";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, queryRows, emptyStore, rowsOf, submitted } from "#test/fixture-store.ts";

/** Their JSON texts are 64, 65, 64 and 65 characters long. */
const values: Readonly<Record<string, Json>> = {
  short: "s".repeat(62),
  long: "l".repeat(63),
  brief: ["b".repeat(60)],
  wordy: ["w".repeat(61)],
};

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
  await submitted(store, a.facts("one", { values }), a.facts("other", { values }));
});
afterEach(() => store.close());

describe("facts with long values, which have their own table", () => {
  it.each(Object.entries(values))("%s is found by its name and in a group", async (name, value) => {
    expect(factTable(JSON.stringify(value))).toBe(/^[sb]/.test(name) ? "short_facts" : "long_facts");
    const named = await rowsOf(store, "facts", ["=", "name", name]);
    expect(named.map((row) => row["value"])).toEqual([value, value]);
    const pql = `facts[value, count()]{ name = "${name}" group by value }`;
    expect(await queryRows(store, { of: "root", pql })).toEqual([{ value, count: 2 }]);
  });

  it.each(["short", "long"])("%s is found by its value", async (name) => {
    expect(await rowsOf(store, "facts", ["=", "value", values[name] ?? null])).toHaveLength(2);
  });

  it("are ordered together with short ones, page by page", async () => {
    const pql = "facts[name]{ certname = 'one' order by name limit 2 offset 1 }";
    expect(await queryRows(store, { of: "root", pql })).toEqual([{ name: "long" }, { name: "short" }]);
  });

  it("are in one document with short ones", async () => {
    const [row] = await rowsOf(store, "inventory", ["=", "certname", "one"]);
    expect(row?.["facts"]).toEqual(values);
  });

  it("replace short ones, and are replaced by short ones", async () => {
    const swapped = { short: values["long"] ?? null, long: values["short"] ?? null };
    await submitted(store, a.facts("one", { values: swapped, producer_timestamp: "2026-11-20T23:00:00Z" }));
    const rows = await rowsOf(store, "facts", ["=", "certname", "one"]);
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(swapped);
  });
});

describe("very long values, with spacers between them", () => {
  const huge = { text: "x".repeat(200_000), list: Array.from({ length: 10 }, (_, n) => `${n}`.repeat(30_000)) };
  beforeEach(() => submitted(store, a.facts("huge", { values: huge }), a.facts("other-huge", { values: huge })));

  it("have spacers that no query and no count includes", async () => {
    expect(spacersAfter(JSON.stringify(huge.text), "")).toBeGreaterThan(10);
    const count = ["extract", [["function", "count"]]];
    expect(await rowsOf(store, "facts", count)).toEqual([{ count: 2 * 4 + 2 * 2 }]);
    expect(await rowsOf(store, "fact_contents", count)).toEqual([{ count: 2 * 4 + 2 * (1 + 10) }]);
    expect(await rowsOf(store, "facts", ["=", "name", ""])).toEqual([]);
    expect(await rowsOf(store, "fact_contents", ["=", "value", ""])).toEqual([]);
    const [row] = await rowsOf(store, "inventory", ["=", "certname", "huge"]);
    expect(row?.["facts"]).toEqual(huge);
  });

  it("are deleted with their spacers", async () => {
    await submitted(store, a.facts("huge", { values: { a: 1 }, producer_timestamp: "2026-11-20T23:00:00Z" }));
    await store.lifecycle.deleteNode("other-huge");
    const rows = store.snapshot(async function* ([at]) {
      yield await at.rows(
        "SELECT node_id FROM long_facts WHERE value = '' UNION ALL SELECT node_id FROM fact_leaves WHERE value = ''",
      );
    });
    for await (const left of rows) expect(left).toEqual([]);
    expect(await rowsOf(store, "facts", ["=", "certname", "huge"])).toMatchObject([{ name: "a", value: 1 }]);
  });
});
