import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, queryRows, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const rows = async (query: Json): Promise<string[]> =>
  (await queryRows(store, { of: "root", query })).map((row) => JSON.stringify(row)).sort();

const count: Json = ["function", "count"];

/** The place of a condition in a query, and the same query without it. */
const places: readonly [what: string, condition: (given: Json) => Json, without: Json][] = [
  ["from", (given) => ["from", "nodes", given], ["from", "nodes"]],
  ["from with paging", (given) => ["from", "nodes", given, ["limit", 99]], ["from", "nodes", ["limit", 99]]],
  ["from of reports", (given) => ["from", "reports", given], ["from", "reports"]],
  ["extract", (given) => ["from", "nodes", ["extract", "certname", given]], ["from", "nodes", ["extract", "certname"]]],
  ["extract of all fields", (given) => ["from", "facts", ["extract", [], given]], ["from", "facts"]],
  [
    "extract of reports",
    (given) => ["from", "reports", ["extract", "hash", given]],
    ["from", "reports", ["extract", "hash"]],
  ],
  [
    "extract of a function",
    (given) => ["from", "events", ["extract", [count], given]],
    ["from", "events", ["extract", [count]]],
  ],
  [
    "extract with group_by",
    (given) => ["from", "facts", ["extract", [count, "name"], given, ["group_by", "name"]]],
    ["from", "facts", ["extract", [count, "name"], ["group_by", "name"]]],
  ],
  [
    "subquery",
    (given) => ["from", "nodes", ["extract", "certname", ["subquery", "reports", given]]],
    ["from", "nodes", ["extract", "certname", ["subquery", "reports", ["~", "certname", ""]]]],
  ],
  [
    "in … from …",
    (given) => [
      "from",
      "nodes",
      ["extract", "certname", ["in", "certname", ["from", "facts", ["extract", "certname", given]]]],
    ],
    ["from", "nodes", ["extract", "certname", ["in", "certname", ["from", "facts", ["extract", "certname"]]]]],
  ],
  [
    "in … from … with paging",
    (given) => [
      "from",
      "nodes",
      ["in", "certname", ["from", "catalogs", ["extract", ["certname"], given], ["limit", 99]]],
    ],
    ["from", "nodes", ["in", "certname", ["from", "catalogs", ["extract", ["certname"]], ["limit", 99]]]],
  ],
  ...["facts", "resources", "reports", "nodes", "fact_contents", "inventory"].map((entity): (typeof places)[number] => [
    `select_${entity}`,
    (given) => [
      "from",
      "nodes",
      ["extract", "certname", ["in", "certname", ["extract", "certname", [`select_${entity}`, given]]]],
    ],
    ["from", "nodes", ["extract", "certname", ["in", "certname", ["from", entity, ["extract", "certname"]]]]],
  ]),
];

describe("null in place of a condition is none", () => {
  it.each(places)("%s", async (_what, condition, without) => {
    const all = await rows(without);
    expect(all).not.toEqual([]);
    expect(await rows(condition(null))).toEqual(all);
  });

  it.each<[Json]>([
    [["and", null]],
    [["and", ["=", "certname", "alpha"], null]],
    [["or", null, ["=", "certname", "alpha"]]],
    [["not", null]],
    [["not", ["and", ["=", "certname", "alpha"], null]]],
  ])("but not inside a condition: %j", async (condition) => {
    expect(await refusalOf(store, { of: "root", query: ["from", "nodes", condition] })).toMatch(/^null cannot be read/);
    expect(
      await refusalOf(store, { of: "root", query: ["from", "nodes", ["extract", "certname", condition]] }),
    ).toMatch(/^null cannot be read/);
  });
});

it.each(places.filter(([what]) => /^select|^subquery/.test(what)))(
  "an empty list is no condition in %s",
  async (_what, condition, without) => {
    expect(await rows(condition([]))).toEqual(await rows(without));
  },
);

it("a name that is no subquery is reported alone", async () => {
  for (const name of ["bogus", "select_bogus", "SELECT_FACTS", "", "extract", "="]) {
    const query = ["from", "nodes", ["in", "certname", ["extract", "certname", [name, ["=", "name", "x"]]]]];
    expect(await refusalOf(store, { of: "root", query })).toBe(`Unsupported subquery \`${name}\``);
  }
});
