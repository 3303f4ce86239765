import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { queryRows, everyRow, fieldOf, populatedStore, refusalOf, certnames } from "#test/fixture-store.ts";
import { refused } from "./refused.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const distinct = (rows: Json[]): string[] =>
  [...new Set(rows.map((row) => (row as { certname: string }).certname))].sort();

describe("node_state (reference/query.md §4.1)", () => {
  it.each<[query: Json[], found: string]>([
    [["=", "node_state", "active"], "abce"],
    [["=", "node_state", "inactive"], "d"],
    // zeta waits to be purged: neither active nor inactive
    [["=", "node_state", "any"], "abcdez"],
    [["=", "node_state", "INACTIVE"], "d"],
    [["=", ["node", "active"], true], "abce"],
    [["=", ["node", "active"], false], "d"],
    [["=", ["node", "active"], 1], "abce"],
    [["=", ["node", "active"], null], "d"],
    [["or", ["=", ["node", "active"], true], ["=", ["node", "active"], false]], "abcdez"],
    [["not", ["=", "node_state", "active"]], "dz"],
    // a clause without a condition is removed from the clause around it
    [["or", ["=", "node_state", "any"], ["=", "certname", "alpha"]], "a"],
    [["and", ["=", "node_state", "any"], ["=", "certname", "delta"]], "d"],
    [["not", ["=", "node_state", "any"]], "abcdez"],
    [["or", ["=", "node_state", "any"]], "abcdez"],
    [["and", ["not", ["or", ["=", "node_state", "any"]]], ["=", "certname", "zeta"]], "z"],
    [["in", "certname", ["extract", "certname", ["select_not_active_nodes"]]], "dz"],
    [["in", "certname", ["extract", "certname", ["select_inactive_nodes"]]], "d"],
  ])("%j: %s", async (query, found) => {
    expect(await fieldOf(store, "nodes", "certname", query)).toEqual(certnames(found));
  });

  it.each<[query: Json[], text: string | RegExp]>([
    [["=", "node_state", "sleeping"], "No matching clause: sleeping"],
    [["=", "node_state", "toString"], "No matching clause: tostring"],
    [["=", "node_state", null], "No matching clause: "],
    [[">", "node_state", "active"], "Query operators >,>=,<,<= are not allowed on field node_state"],
    [["~>", "node_state", "active"], "Query operator ~> is not allowed on field node_state"],
    [["~", "node_state", "act"], /node_state/],
    [["=", ["node", "bogus"], true], /node/],
    [["and", ["=", "type", "any"], ["=", "certname", "zeta"]], /^'type' is not a queryable object for nodes\./],
  ])("is rejected: %j", async (query, text) => {
    const refusal = await refusalOf(store, { of: everyRow("nodes"), query });
    expect(refusal).toEqual(refused(text));
  });
});

describe("latest_report? of events", () => {
  it("is false for the events of older reports (docs/differences.md)", async () => {
    const hashes = async (isLatest: boolean): Promise<string[]> =>
      fieldOf(store, "events", "report", ["=", "latest_report?", isLatest]);
    const latest = await fieldOf(store, "reports", "hash", ["=", "latest_report?", true]);
    const all = await fieldOf(store, "events", "report");
    expect(await hashes(true)).toEqual(all.filter((hash) => latest.includes(hash)));
    expect(await hashes(false)).toEqual(all.filter((hash) => !latest.includes(hash)));
    expect(await hashes(false)).not.toEqual([]);
  });
});

describe("nodes that are not active are left out at the root (reference/entities.md §4)", () => {
  it.each<[entity: string, found: string]>([
    ["nodes", "abce"],
    ["facts", "abc"],
    ["fact_contents", "abc"],
    ["factsets", "abc"],
    ["inventory", "abc"],
    ["resources", "ab"],
    ["edges", "ab"],
    ["catalogs", "ab"],
    ["reports", "abc"],
    ["events", "abe"],
    ["package_inventory", "ab"],
    ["catalog_inputs", "a"],
    ["catalog_input_contents", "a"],
  ])("from %s: %s", async (entity, found) => {
    expect(distinct(await queryRows(store, { of: "root", query: ["from", entity] }))).toEqual(certnames(found));
    expect(distinct(await queryRows(store, { of: "root", query: ["from", entity.replaceAll("_", "-")] }))).toEqual(
      certnames(found),
    );
  });

  it.each([
    ["environments", 2],
    ["packages", 3],
    ["producers", 2],
  ])("from %s returns all rows", async (entity, count) => {
    expect(await queryRows(store, { of: "root", query: ["from", entity] })).toHaveLength(count);
  });

  it.each<[what: string, query: Json[], found: string]>([
    ["a test of its own", ["=", "node_state", "any"], "abcd"],
    ["one of the older spelling", ["=", ["node", "active"], false], "d"],
    ["one inside an or", ["or", ["=", "node_state", "inactive"], ["=", "name", "count"]], "abd"],
    ["one in a subquery", ["subquery", "nodes", ["=", "node_state", "any"]], "abcd"],
    ["none, with a filter", ["=", "name", "kernel"], "abc"],
    ["none, with the words in a text", ["=", "value", "node_state"], ""],
    ["none, below another operator", ["~", "name", "node_state"], ""],
  ])("depending on whether the query mentions node_state: %s", async (_what, query, found) => {
    expect(distinct(await queryRows(store, { of: "root", query: ["from", "facts", query] }))).toEqual(certnames(found));
    const target = { entity: "facts", activeOnly: true };
    expect(distinct(await queryRows(store, { of: target, query }))).toEqual(certnames(found));
  });

  it("before the rows of an extract are grouped", async () => {
    const query = ["extract", [["function", "count"]], ["=", "name", "kernel"], ["group_by", "value"]];
    const rows = await queryRows(store, { of: "root", query: ["from", "facts", query] });
    expect(rows.map((row) => String((row as { count: number }).count)).sort()).toEqual(["1", "2"]);
  });

  it("but not in subqueries", async () => {
    const query = ["in", "name", ["extract", "name", ["select_facts", ["=", "certname", "delta"]]]];
    expect(
      await queryRows(store, { of: "root", query: ["from", "facts", ["extract", [["function", "count"]], query]] }),
    ).toEqual([{ count: 9 }]);
  });
});

describe("the restriction of a route", () => {
  it.each<[restrictions: Record<string, string>, query: Json[] | undefined, count: number]>([
    [{ certname: "alpha" }, undefined, 19],
    [{ certname: "alpha", name: "kernel" }, undefined, 1],
    [{ certname: "alpha" }, ["=", "certname", "beta"], 0],
    [{ name: "kernel" }, ["or", ["=", "certname", "alpha"], ["=", "certname", "beta"]], 2],
    // as a JSON text, so that it never is a number
    [{ name: "count", value: "5" }, undefined, 1],
    [{ name: "'; DROP TABLE facts; --" }, undefined, 0],
  ])("%j applies to the query %j", async (restrictions, query, count) => {
    const of = { entity: "facts", activeOnly: true, restrictions };
    expect(await queryRows(store, { of, ...(query === undefined ? {} : { query }) })).toHaveLength(count);
  });
});

describe("reports of agents (reference/query.md §6.3)", () => {
  it.each<[query: Json[], found: string]>([
    [["~", "certname", "."], "aabcd"],
    [["=", "certname", "epsilon"], ""],
    [["=", "type", "any"], "aabcde"],
    [["=", "type", "plan"], "e"],
    [["=", "type", "bogus"], ""],
    [["~", "type", "a"], "aabcde"],
    [["null?", "type", false], "aabcde"],
    [["in", "type", ["array", ["plan", "agent"]]], "aabcde"],
    [["not", ["=", "type", "plan"]], "aabcd"],
    [["and", ["~", "certname", "."], ["or", ["=", "type", "plan"], ["=", "status", "failed"]]], "be"],
    // what a deeper subquery says of types does not count
    [["subquery", "events", ["=", "certname", "epsilon"]], ""],
    [["in", "certname", ["extract", "certname", ["select_reports", ["=", "type", "plan"]]]], ""],
  ])("%j: %s", async (query, found) => {
    expect(await fieldOf(store, "reports", "certname", query)).toEqual(certnames(found));
  });

  it("are selected inside extract and at every select_reports", async () => {
    const count = async (query: Json): Promise<Json[]> => queryRows(store, { of: everyRow("reports"), query });
    expect(await count(["extract", [["function", "count"]]])).toEqual([{ count: 5 }]);
    expect(await count(["extract", [["function", "count"]], ["=", "type", "any"]])).toEqual([{ count: 6 }]);
    const changed = ["in", "certname", ["extract", "certname", ["select_reports", ["=", "status", "changed"]]]];
    expect(await fieldOf(store, "nodes", "certname", changed)).toEqual(certnames("ad"));
    const from = ["in", "certname", ["from", "reports", ["extract", "certname", ["=", "status", "changed"]]]];
    expect(await fieldOf(store, "nodes", "certname", from)).toEqual(certnames("ad"));
  });

  it("events are not filtered", async () => {
    expect(await fieldOf(store, "events", "certname")).toEqual(certnames("aaabde"));
  });
});
