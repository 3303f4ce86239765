import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { certnames, everyRow, fieldOf, populatedStore, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const certnamesOf = async (entity: string, filter: unknown): Promise<string[]> => [
  ...new Set(await fieldOf(store, entity, "certname", filter as never)),
];

/** Nodes that have rows of each entity; reports are those of agents. */
const present = {
  nodes: "abcdez",
  facts: "abcd",
  fact_contents: "abcd",
  factsets: "abcd",
  inventory: "abcd",
  catalogs: "abd",
  resources: "abd",
  edges: "ab",
  reports: "abcd",
  events: "abde",
  catalog_inputs: "a",
  catalog_input_contents: "a",
} as const;
type Entity = keyof typeof present;

const group = Object.keys(present) as Entity[];

/** Pairs that relate by something else than the certname alone, and what then remains. */
const instead: Readonly<Record<string, string>> = { "reports events": "abd", "events reports": "abd" };

const byCertname = [...group.filter((from) => from !== "resources"), "package_inventory" as const].flatMap((from) =>
  group.map((to) => {
    const own: string = from === "package_inventory" ? "ab" : present[from];
    const both = Array.from(own)
      .filter((node) => present[to].includes(node))
      .join("");
    return [from, to, instead[`${from} ${to}`] ?? both] as const;
  }),
);

describe("subqueries by certname (reference/entities.md §2)", () => {
  it.each(byCertname)("%s → %s: %s", async (from, to, expected) => {
    expect(await certnamesOf(from, ["subquery", to, ["~", "certname", "."]])).toEqual(certnames(expected));
  });

  it.each([
    ["catalogs", "abd"],
    ["nodes", "abd"],
  ])("resources → %s: %s", async (to, expected) => {
    expect(await certnamesOf("resources", ["subquery", to, ["~", "certname", "."]])).toEqual(certnames(expected));
  });
});

describe("subqueries by other fields", () => {
  it.each([
    ["facts", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["fact_contents", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["factsets", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["factsets", "producers", ["=", "name", "puppet2"], "certname", ["beta"]],
    ["catalogs", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["catalogs", "producers", ["=", "name", "puppet2"], "certname", ["beta"]],
    ["reports", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["reports", "producers", ["=", "name", "puppet2"], "certname", ["beta"]],
    ["events", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    ["resources", "environments", ["=", "name", "staging"], "certname", ["beta"]],
    // report by report, not node by node: alpha's unchanged report has no events
    ["reports", "events", ["=", "certname", "alpha"], "status", ["changed"]],
    ["events", "reports", ["=", "status", "failed"], "certname", ["beta"]],
    // fact by fact
    ["facts", "fact_contents", ["=", "path", ["os", "family"]], "name", ["os"]],
    ["fact_contents", "facts", ["=", "name", "kernel"], "name", ["kernel"]],
    ["fact_paths", "facts", ["=", "value", 10], "name", ["uptime"]],
    ["environments", "facts", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "inventory", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "factsets", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "catalogs", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "reports", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "fact_contents", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "events", ["=", "certname", "beta"], "name", ["staging"]],
    ["environments", "resources", ["=", "certname", "beta"], "name", ["staging"]],
    ["producers", "factsets", ["=", "certname", "beta"], "name", ["puppet2"]],
    ["producers", "catalogs", ["=", "certname", "beta"], "name", ["puppet2"]],
    ["producers", "reports", ["=", "certname", "beta"], "name", ["puppet2"]],
  ])("%s → %s %j", async (from, to, filter, field, expected) => {
    expect([...new Set(await fieldOf(store, from, field, ["subquery", to, filter]))]).toEqual(expected);
  });

  it("of reports select those of agents, unless they mention the type", async () => {
    const changed = ["=", "status", "changed"];
    expect(await certnamesOf("nodes", ["subquery", "reports", changed])).toEqual(certnames("ad"));
    expect(await certnamesOf("nodes", ["subquery", "reports", ["and", changed, ["=", "type", "any"]]])).toEqual(
      certnames("ade"),
    );
    expect(await certnamesOf("nodes", ["subquery", "reports", ["=", "type", "plan"]])).toEqual(certnames("e"));
  });
});

describe("subqueries of entities without a relationship", () => {
  const named = ["~", "name", "."];
  const certname = ["~", "certname", "."];
  it.each([
    ["nodes", "environments", named],
    ["nodes", "producers", named],
    ["nodes", "packages", ["~", "package_name", "."]],
    ["nodes", "fact_paths", named],
    ["nodes", "package_inventory", certname],
    ["edges", "environments", named],
    ["inventory", "environments", named],
    ["catalog_inputs", "producers", named],
    ["facts", "producers", named],
    ["events", "producers", named],
    ["resources", "facts", certname],
    ["resources", "reports", certname],
    ["resources", "events", certname],
    ["resources", "inventory", certname],
    ["environments", "nodes", certname],
    ["environments", "edges", certname],
    ["producers", "nodes", certname],
    ["producers", "facts", certname],
    ["fact_paths", "nodes", certname],
    ["packages", "nodes", certname],
    ["fact_names", "facts", named],
  ])("are rejected: %s → %s", async (from, to, filter) => {
    const query = ["subquery", to, filter];
    expect(await refusalOf(store, { of: everyRow(from), query })).toBe(`No implicit relationship for entity '${to}'`);
  });

  it("are rejected for a name with a hyphen", async () => {
    const query = ["subquery", "package-inventory", certname];
    expect(await refusalOf(store, { of: everyRow("nodes"), query })).toBe(
      "'certname' is not a queryable object for null. Entity null has no queryable objects",
    );
  });
});
