import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, emptyStore, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

const notWellFormed = "[] is not well-formed: queries must contain at least one operator";

describe("an empty condition", () => {
  it.each(["events", "reports", "catalogs", "environments", "producers", "packages", "fact_paths", "fact_names"])(
    "is accepted where the route adds no condition: %s",
    async (entity) => {
      expect(await queryRows(store, { of: { entity, activeOnly: false }, query: [] })).toEqual([]);
    },
  );

  it.each(["environments", "packages", "fact_paths"])("is accepted at the root: %s", async (entity) => {
    expect(await queryRows(store, { of: "root", query: ["from", entity, []] })).toEqual([]);
  });

  it.each<[what: string, Parameters<typeof refusalOf>[1]]>([
    ["active nodes", { of: { entity: "nodes", activeOnly: true }, query: [] }],
    ["a route's field", { of: { entity: "reports", activeOnly: false, restrictions: { certname: "a" } }, query: [] }],
    ["active nodes, at the root", { of: "root", query: ["from", "events", []] }],
  ])("is an error next to another condition: %s", async (_what, spec) => {
    expect(await refusalOf(store, spec)).toBe(notWellFormed);
  });
});

describe("operators in upper case", () => {
  const events = { entity: "events", activeOnly: false };

  it.each<[query: Json[]]>([
    [["OR", ["=", "environment", "DEV"], ["=", "environment", "PROD"]]],
    [["And", ["NOT", ["=", "environment", "DEV"]]]],
    [["or", ["NULL?", "file", true]]],
    [["IN", "certname", ["extract", "certname", ["select_facts", ["AND", ["=", "name", "x"]]]]]],
  ])("are accepted on events: %j", async (query) => {
    expect(await queryRows(store, { of: events, query })).toEqual([]);
  });

  it("are rejected on other entities", async () => {
    const query = ["OR", ["=", "environment", "DEV"]];
    expect(await refusalOf(store, { of: { entity: "reports", activeOnly: false }, query })).toMatch(
      /'OR' is not an operator/,
    );
  });
});
