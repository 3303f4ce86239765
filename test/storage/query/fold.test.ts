import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, populatedStore } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** More than it takes for equalities to become a list, by themselves. */
const others = (value: (index: number) => Json): Json[] => Array.from({ length: 20 }, (_, index) => value(index));
const word = (index: number): string => `other ${index}`;
const number = (index: number): number => 1000 + index;

/** Fields of each kind, with values that some rows have, and many that none has. */
const cases: readonly (readonly [entity: string, field: Json, values: Json[]])[] = [
  ["nodes", "certname", ["alpha", "gamma", ...others(word)]],
  ["nodes", "catalog_environment", ["production", ...others(word)]],
  ["nodes", "report_timestamp", ["2026-11-20T00:00:00Z", ...others((index) => index * 1000)]],
  ["reports", "noop", [true, ...others((index) => index % 2 === 0)]],
  ["resources", "line", [1, 2, 10, 12, ...others(number)]],
  ["resources", "type", ["Package", ...others(word)]],
  ["resources", "parameters.ensure", ["present", "file", ...others(word)]],
  ["resources", ["parameter", "ensure"], ["present", "file", ...others(word)]],
  ["facts", "value", ["Linux", 5, 10, true, null, [1], ...others(word), ...others(number)]],
  ["fact_contents", "value", ["Linux", 5, ...others(word)]],
  ["fact_contents", "path", [["kernel"], ["os", "family"], ...others((index) => [word(index)])]],
  ["fact_paths", "path", [["kernel"], ["os", "family"], ...others((index) => [word(index)])]],
  ["inventory", "facts.kernel", ["Linux", ...others(word)]],
  ["inventory", "facts.os.family", ["Debian", "RedHat", ...others(word)]],
  ["inventory", "facts.list[0]", ["a", "x", ...others(word)]],
  ["nodes", ["fact", "kernel"], ["Linux", ...others(word)]],
  ["nodes", ["fact", "os.family"], ["Debian", ...others(word)]],
  ["events", "property", ["ensure", ...others(word)]],
];

async function rowsOf(entity: string, query: Json): Promise<string[]> {
  const rows = await queryRows(store, { of: { entity, activeOnly: false }, query });
  return rows.map((row) => JSON.stringify(row)).sort();
}

const inAll = (lists: readonly string[][]): string[] =>
  (lists[0] ?? []).filter((row) => lists.every((list) => list.includes(row)));
const inAny = (lists: readonly string[][]): string[] => [...new Set(lists.flat())].sort();

describe("many equalities of one field", () => {
  it.each(cases)("of %s by %j return the same rows as separate equalities", async (entity, field, values) => {
    const equalities = values.map((value): Json => ["=", field, value]);
    const found = await Promise.all(equalities.map((query) => rowsOf(entity, query)));
    const denied = await Promise.all(equalities.map((query) => rowsOf(entity, ["not", query])));
    expect(await rowsOf(entity, ["or", ...equalities])).toEqual(inAny(found));
    expect(await rowsOf(entity, ["not", ["or", ...equalities]])).toEqual(inAll(denied));
    expect(await rowsOf(entity, ["and", ...equalities.map((query): Json => ["not", query])])).toEqual(inAll(denied));
    const [first = null, ...rest] = equalities;
    expect(await rowsOf(entity, ["or", first, ["or", ["or", ...rest], first]])).toEqual(inAny(found));
  });
});
