import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import type { Json, JsonObject } from "#storage/json.ts";
import type { CompileContext } from "#storage/query/compile/statement.ts";
import { planQuery } from "#storage/query/query.ts";
import { openDatabase } from "#storage/store-database.ts";
import type { Store } from "#storage/store.ts";
import { generatedStoreOver } from "../fixture-population.ts";

let database: Database;
let store: Store;
let nodes: ReadonlyMap<string, number>;
beforeAll(async () => {
  database = await openDatabase({});
  store = await generatedStoreOver(database);
  const rows = await database.rows<{ certname: string; id: number }>("SELECT certname, id FROM nodes ORDER BY id");
  nodes = new Map(rows.map(({ certname, id }) => [certname, id]));
});
afterAll(() => store.close());

const queries: readonly (readonly [what: string, query: (certname: string, other: string) => Json])[] = [
  ["the resources of a node", (certname) => ["from", "resources", ["=", "certname", certname]]],
  ["those of a type", (certname) => ["from", "resources", ["and", ["=", "certname", certname], ["=", "type", "File"]]]],
  [
    "those with a parameter",
    (certname) => ["from", "resources", ["and", ["=", "certname", certname], ["=", ["parameter", "ensure"], "file"]]],
  ],
  ["those of two nodes", (...both) => ["from", "resources", ["in", "certname", ["array", both]]]],
  [
    "a page of them",
    (...both) => [
      "from",
      "resources",
      ["in", "certname", ["array", both]],
      ["order_by", ["certname", "type", "title"]],
      ["limit", 7],
      ["offset", 3],
    ],
  ],
  [
    "numbers of them by type",
    (certname) => [
      "from",
      "resources",
      ["extract", ["type", ["function", "count"]], ["=", "certname", certname], ["group_by", "type"]],
    ],
  ],
  ["the edges of a node", (certname) => ["from", "edges", ["=", "certname", certname]]],
  ["the catalog of a node", (certname) => ["from", "catalogs", ["=", "certname", certname]]],
  [
    "nodes with a resource",
    (certname) => [
      "from",
      "nodes",
      ["and", ["=", "certname", certname], ["subquery", "resources", ["=", "exported", true]]],
    ],
  ],
];

const nodeOf = (certname: string): number | undefined => nodes.get(certname);
const isLarge = (table: string): boolean => table === "resources";

/** The rows, those of lists in an order of their own. */
async function rowsOf(query: Json, context: CompileContext): Promise<{ rows: string[]; sql: string }> {
  const { rows } = planQuery({ of: "root", query }, context);
  const found: string[] = [];
  for await (const texts of database.texts(rows)) found.push(...texts.map((text) => sorted(JSON.parse(text))));
  return { rows: found.toSorted(), sql: rows.sql };
}

const sqlOf = async (query: Json, context: Partial<CompileContext>): Promise<string> =>
  (await rowsOf(query, { purgeHorizon: 0n, ...context })).sql;

function sorted(row: JsonObject): string {
  return JSON.stringify(row, (_key, value: Json) =>
    Array.isArray(value) && typeof value[0] === "object" ? value.map((each) => JSON.stringify(each)).toSorted() : value,
  );
}

describe("rows that nodes share, found in parts of a large table", () => {
  it.each(queries)("are the same: %s", async (_what, queryOf) => {
    const context = { purgeHorizon: 0n, nodeOf };
    const names = [...nodes.keys()];
    let found = 0;
    for (const [index, certname] of names.entries()) {
      const query = queryOf(certname, names[names.length - 1 - index] ?? "");
      const plain = await rowsOf(query, context);
      const inParts = await rowsOf(query, { ...context, isLarge: () => true });
      expect(inParts.rows).toEqual(plain.rows);
      found += plain.rows.length;
      expect(plain.sql).not.toContain("resources_part0");
    }
    expect(found).toBeGreaterThan(0);
  });

  it("are read in parts where the nodes are in memory, and the table is large", async () => {
    const [first = "", second = ""] = nodes.keys();
    const [resources, catalog]: Json[] = [
      ["from", "resources", ["=", "certname", first]],
      ["from", "catalogs", ["=", "certname", first]],
    ];
    for (const query of [resources, catalog] as const) {
      expect(await sqlOf(query ?? [], { nodeOf, isLarge })).toContain("resources_part1");
      expect(await sqlOf(query ?? [], { isLarge })).not.toContain("_part1");
      expect(await sqlOf(query ?? [], { nodeOf, isLarge: () => false })).not.toContain("_part1");
    }
    expect(await sqlOf(catalog ?? [], { nodeOf, isLarge })).not.toContain("edges_part1");
    const either: Json = ["or", ["=", "certname", first], ["=", "type", "File"]];
    expect(await sqlOf(["from", "resources", either], { nodeOf, isLarge })).not.toContain("_part1");
    const unknown: Json = ["in", "certname", ["array", [second, "unknown.example.com"]]];
    expect(await sqlOf(["from", "resources", unknown], { nodeOf, isLarge })).not.toContain("_part1");
  });
});
