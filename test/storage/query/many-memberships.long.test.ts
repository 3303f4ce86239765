import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, rowsOf } from "#test/fixture-store.ts";

/*
 * Many memberships of one row become columns of a join. What they are compared with is computed here of the
 * answers to each of them alone, which the engine looks up as they are written.
 */

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

const within = (entity: string, where: Json, field: Json = "certname", outer: Json = field): Json => [
  "in",
  outer,
  ["from", entity, ["extract", field, where]],
];

const ofNodes: readonly Json[] = [
  within("facts", ["=", "name", "kernel"]),
  within("facts", ["and", ["=", "name", "kernel"], ["=", "value", "Linux"]]),
  within("facts", ["=", "name", "nowhere"]),
  within("resources", ["=", "title", "ntp"]),
  within("resources", ["and", ["=", "type", "File"], ["=", "parameters.ensure", "file"]]),
  within("reports", ["=", "status", "failed"]),
  within("reports", ["=", "status", "unchanged"]),
  within("events", ["=", "status", "failure"]),
  within("catalogs", ["~", "version", "."]),
  within("package_inventory", ["=", "package_name", "vim"]),
  within("nodes", ["null?", "deactivated", true]),
  within("nodes", ["null?", "deactivated", false]),
  within("inventory", ["=", "facts.os.family", "Debian"]),
  within("facts", ["in", "value", ["from", "fact_contents", ["extract", "value", ["=", "name", "yes"]]]]),
  within("facts", ["=", "name", "os"], "environment", "facts_environment"),
  within("reports", ["=", "status", "failed"], "environment", "report_environment"),
  within("reports", ["=", "status", "noop"], "environment", "catalog_environment"),
  ["subquery", "facts", ["=", "name", "slots"]],
  ["subquery", "fact_contents", ["=", "value", 5]],
  [
    "in",
    "certname",
    ["from", "facts", ["extract", "certname", ["=", "name", "os"]], ["order_by", ["certname"]], ["limit", 1]],
  ],
  ["=", ["fact", "mixed"], 7],
  [">", ["fact", "uptime"], 3],
  ["~", ["fact", "kernel"], "^Dar"],
];

const ofResources: readonly Json[] = [
  ["=", "parameters.ensure", "latest"],
  ["=", "parameters.size", 80],
  ["=", "parameters.ratio", 1],
  ["=", "parameters.backup", false],
  ["=", "parameters.acl.b", 2],
  [">", "parameters.size", 10],
  ["~", "parameters.message", "DROP"],
  ["~", "parameters.owners", "ntp"],
  ["=", ["parameter", "mode"], "0644"],
  ["null?", "parameters.notify", true],
  ["=", "parameters.nowhere", "x"],
  within("nodes", ["=", "report_environment", "staging"]),
  within("edges", ["=", "relationship", "contains"], ["certname", "target_title"], ["certname", "title"]),
  within("events", ["=", "status", "noop"], "file"),
  within("events", ["=", "status", "noop"], "line"),
];

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...one].filter((key) => other.has(key)));
}

const cases = [
  ["nodes", ofNodes],
  ["resources", ofResources],
] as const;

describe.each(cases)("many memberships of %s", (entity, clauses) => {
  const keysOf = async (where: Json): Promise<Set<string>> => {
    const fields = entity === "nodes" ? ["certname"] : ["certname", "resource"];
    const rows = await rowsOf(store, entity, ["extract", fields, where]);
    return new Set(rows.map((row) => JSON.stringify(row)));
  };
  const denied = clauses.map((clause): Json => ["not", clause]);
  const alone = async (some: readonly Json[]): Promise<Set<string>[]> => Promise.all(some.map(keysOf));

  it.each<[string, readonly Json[]]>([
    ["as they are", clauses],
    ["denied", denied],
    ["as they are and denied", [...clauses.slice(0, 9), ...denied.slice(9)]],
    ["denied twice", clauses.map((clause): Json => ["not", ["not", clause]])],
  ])("are answered by `or` and `and` like one after another: %s", async (_what, some) => {
    const sets = await alone(some);
    const all = [...new Set(sets.flatMap((set) => [...set]))];
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(await keysOf(["or", ...some]))).toEqual(new Set(all));
    // Every pair, with clauses that all rows meet or none does around it.
    for (const [index, set] of sets.entries()) {
      const other = sets[(index + 3) % sets.length] ?? set;
      const pair: Json = ["and", some[index] ?? null, some[(index + 3) % some.length] ?? null];
      const found = await keysOf(["or", pair, ["and", ["=", "certname", "nobody"], ...some]]);
      expect({ pair, found }).toEqual({ pair, found: common(set, other) });
    }
    expect(await keysOf(["and", ...some])).toEqual(sets.reduce(common));
  });
});

const many = (count: number, paged: readonly Json[]): Json => [
  "and",
  ...Array.from({ length: count }, (_, at): Json => {
    return ["in", "certname", ["from", "facts", ["extract", "certname", ["=", "name", `f${at}`]], ...paged]];
  }),
];

describe("a query with too many subqueries", () => {
  it("is refused, those in the same rows counted as one", async () => {
    await expect(rowsOf(store, "nodes", many(500, []))).resolves.toEqual([]);
    await expect(rowsOf(store, "nodes", many(60, [["limit", 9]]))).resolves.toEqual([]);
    await expect(rowsOf(store, "nodes", many(61, [["limit", 9]]))).rejects.toThrow(
      "the query has more than 60 subqueries, those that read the same rows by the same fields counted as one",
    );
  });
});
