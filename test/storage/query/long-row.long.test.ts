import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { wholeRows } from "#storage/engine/joined-text.ts";
import type { Rows } from "#storage/engine/rows.ts";
import { isObject, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import type { RowOfLists } from "#storage/query/compile/lists.ts";
import { longRow } from "#storage/query/long-row.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import { openDatabase } from "#storage/store-database.ts";
import type { Store } from "#storage/store.ts";
import { a } from "#test/fixture-store.ts";
import { generatedStoreOver } from "./fixture-population.ts";

let database: Database;
let store: Store;

beforeAll(async () => {
  database = await openDatabase({});
  store = await generatedStoreOver(database, { nodes: 12 });
  await store.submit(a.facts("without-facts", { values: {} }));
  await store.submit(a.catalog("without-resources", { resources: [], edges: [] }));
  await store.submit(a.inputs("without-inputs", { inputs: [] }));
});

afterAll(() => store.close());

async function textsOf(batches: AsyncIterable<Rows>): Promise<string[]> {
  const texts: string[] = [];
  for await (const rows of batches) texts.push(...rows.texts());
  return texts;
}

/** What can be read in parts of a query: the keys, and what they say of each. */
async function partsOf(spec: QuerySpec) {
  const parts = store.queries.plan(spec).inParts?.();
  if (parts?.listsOf === undefined) throw new Error("the query has no lists");
  const { keys, rowsOf, listsOf } = parts;
  return { keys: await textsOf(database.stream(keys)), rowsOf, listsOf };
}

/** The row of some lists, in pieces. */
const rowOf = (lists: RowOfLists): AsyncGenerator<Rows> => database.snapshot(([view]) => longRow(view, lists));

/** A row's values; facts and packages of a node come in no order. */
function sortedLists(row: string): Json {
  return sorted(parseJson(row));
}

function sorted(value: Json): Json {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (stringifyJson(one) < stringifyJson(other) ? -1 : 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]));
}

const everyField = (entity: string, ...fields: string[]): QuerySpec => ({
  of: "root",
  query: ["from", entity, ["extract", fields]],
});

describe("a row that is read in pieces", () => {
  it.each<[what: string, spec: QuerySpec]>([
    ["factsets", { of: { entity: "factsets", activeOnly: true } }],
    [
      "factsets with packages",
      { of: { entity: "factsets", activeOnly: true }, options: { includePackageInventory: true } },
    ],
    ["inventory", { of: { entity: "inventory", activeOnly: true } }],
    ["catalogs", { of: { entity: "catalogs", activeOnly: false } }],
    ["catalog inputs", { of: { entity: "catalog_inputs", activeOnly: true } }],
    ["reports", { of: { entity: "reports", activeOnly: false } }],
    ["reports with resources", everyField("reports", "resources", "hash", "resource_events")],
    ["a list alone", everyField("inventory", "facts")],
    ["a list between parts", everyField("inventory", "facts.os.family", "facts", "trusted.certname")],
  ])("has the same text as one read as a whole: %s", async (_, spec) => {
    const { keys, rowsOf, listsOf } = await partsOf(spec);
    expect(keys.length).toBeGreaterThan(5);
    for (const key of keys) {
      const [whole = ""] = await textsOf(database.stream(rowsOf([key])));
      const [pieces = "", ...others] = await textsOf(wholeRows(rowOf(listsOf(key))));
      expect(others).toEqual([]);
      expect(pieces).toHaveLength(whole.length);
      expect(sortedLists(pieces)).toEqual(sortedLists(whole));
    }
  });

  it("arrives in pieces, each of which is marked as continued", async () => {
    const { keys, listsOf } = await partsOf({ of: { entity: "factsets", activeOnly: true } });
    const continued: (boolean | undefined)[] = [];
    for await (const rows of rowOf(listsOf(keys[0] ?? ""))) continued.push(rows.isContinued);
    expect(continued.length).toBeGreaterThan(1);
    expect(continued).toEqual(continued.map((_, index) => index < continued.length - 1));
  });

  it("is absent once its node is deleted", async () => {
    const { listsOf } = await partsOf({ of: { entity: "factsets", activeOnly: true } });
    expect(await textsOf(rowOf(listsOf("4711")))).toEqual([]);
  });

  it("does not apply to entities without columns that are lists", () => {
    const plan = store.queries.plan({ of: { entity: "nodes", activeOnly: true } });
    expect(plan.inParts?.()?.listsOf).toBeUndefined();
  });
});
