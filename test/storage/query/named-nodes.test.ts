import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#storage/json.ts";
import { entities } from "#storage/query/entities/index.ts";
import { Store } from "#storage/store.ts";
import { queryRows } from "#test/fixture-store.ts";
import { generatedStore, storePopulation } from "./fixture-population.ts";

let store: Store;
let certnames: string[];
beforeAll(async () => {
  store = await generatedStore();
  const nodes = await queryRows(store, { of: "root", query: ["from", "nodes", ["extract", ["certname"]]] });
  certnames = nodes.map((row) => (row as { certname: string }).certname);
});
afterAll(() => store.close());

/** Rows of an entity as sorted texts. */
const rows = async (entity: string, where: Json, columns?: Json): Promise<string[]> => {
  const query: Json = ["from", entity, columns === undefined ? where : ["extract", columns, where]];
  const found = await queryRows(store, { of: "root", query });
  return found.map((row) => JSON.stringify(row)).toSorted();
};

/** Entities with rows of nodes, other than those with one for each node. */
const withCertname = [...new Set(Object.values(entities))]
  .filter(({ fields, from }) => fields["certname"]?.node !== undefined && from.alias !== "n")
  .map(({ name }) => name);

describe("rows of a few nodes that are listed by name", () => {
  it.each(withCertname)("are those of each of them: %s", async (entity) => {
    const [first = "", second = "", third = "", ...others] = certnames;
    for (const listed of [[first, second], [third, first, third], [first, "unknown.example.com"], [first], others]) {
      const single = [...new Set(listed)].map((name): Json => ["=", "certname", name]);
      // A condition that is always true: the engine finds the rows by joining the names.
      const joined: Json = ["and", ["or", ...single], ["~", "certname", ""]];
      expect(await rows(entity, ["in", "certname", ["array", listed]])).toEqual(await rows(entity, joined));
      const count: Json = [["function", "count"]];
      expect(await rows(entity, ["in", "certname", ["array", listed]], count)).toEqual(
        await rows(entity, joined, count),
      );
    }
  });

  it("meet other conditions too", async () => {
    const [first = "", second = ""] = certnames;
    const listed: Json = ["in", "certname", ["array", [first, second]]];
    const either: Json = ["or", ["=", "certname", first], ["=", "certname", second]];
    for (const other of [
      ["=", "type", "File"],
      ["~", "title", "a"],
      ["not", ["=", "exported", true]],
    ] as Json[]) {
      const found = await rows("resources", ["and", listed, other]);
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(await rows("resources", ["and", either, other]));
    }
    expect(await rows("facts", ["not", listed])).toEqual(await rows("facts", ["not", either]));
    expect(await rows("facts", ["or", listed, ["=", "name", "kernel"]])).toEqual(
      await rows("facts", ["or", either, ["=", "name", "kernel"]]),
    );
  });

  it("with a title are the same as without the name of the node", async () => {
    const [first = ""] = certnames;
    const [resource] = await queryRows(store, {
      of: "root",
      query: ["from", "resources", ["and", ["=", "certname", first], ["=", "type", "File"]]],
    });
    const { title = null } = resource as Record<string, Json>;
    const named = await rows("resources", [
      "and",
      ["=", "certname", first],
      ["=", "type", "File"],
      ["=", "title", title],
    ]);
    const all = await rows("resources", ["and", ["=", "type", "File"], ["=", "title", title]]);
    expect(named).toHaveLength(1);
    expect(named).toEqual(all.filter((text) => text.includes(`"certname":${JSON.stringify(first)}`)));
  });
});

it("rows of a few nodes are the same where no node is in memory yet", async () => {
  const directory = mkdtempSync(join(tmpdir(), "census-named-"));
  const written = await Store.open({ directory });
  await storePopulation(written);
  await written.close();
  const [first = "", second = ""] = certnames;
  const listed: Json = ["in", "certname", ["array", [first, "unknown.example.com", second]]];
  for (const entity of ["resources", "facts", "edges"]) {
    const reopened = await Store.open({ directory, readOnly: true });
    const query: Json = ["from", entity, listed];
    const found = await queryRows(reopened, { of: "root", query });
    expect(found.map((row) => JSON.stringify(row)).toSorted()).toEqual(await rows(entity, listed));
    await reopened.close();
  }
  rmSync(directory, { recursive: true });
});

it("facets of resources of a few nodes are those of each of them", async () => {
  const [first = "", second = ""] = certnames;
  const counting = { filters: [], limit: 100, silentSince: new Date(0), facets: [["title"]], distinct: "certname" };
  const [listed, either] = [
    `resources{ certname in ["${first}", "${second}"] }`,
    `resources{ certname = "${first}" or certname = "${second}" }`,
  ].map((pql) => ({ ...counting, pql }));
  const { queries } = store;
  const counted = async (spec: typeof listed & {}): Promise<unknown> => queries.facets(queries.planFacets(spec));
  expect(await counted(listed!)).toEqual(await counted(either!));
});
