import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NodeChanges } from "#storage/nodes/node-changes.ts";
import { facetSelection, type FacetsSpec } from "#storage/query/facets/facets.ts";
import { StripedCounts } from "#storage/query/facets/striped-counts.ts";
import { byLength } from "#test/length.ts";
import { names, populated, sendCatalog, step } from "./changing-store.ts";
import { counted, facets } from "./counted-facets.ts";

const counting = { filters: [], limit: 10, silentSince: new Date("2026-11-20T12:00:00Z") };

const specs: FacetsSpec[] = [
  { ...counting, pql: "resources{}", facets: [["type"]], distinct: "certname" },
  { ...counting, pql: 'resources{ type = "File" }', facets: [["title"]], per: "certname", limit: 2 },
  { ...counting, pql: 'resources{ title = "/a" }', facets: [["exported"], ["parameters.ensure"], ["title", "type"]] },
  // Each node has one such resource at most, so these are counted from columns.
  {
    ...counting,
    pql: 'resources{ type = "File" and title = "/a" }',
    facets: [["exported"], ["parameters.ensure"], ["parameters.ensure", "exported"]],
    filters: [{ field: "parameters.ensure", value: "", excludes: true }],
  },
  { ...counting, pql: 'fact_contents{ path = ["load"] }', facets: [["value"]], limit: 3 },
  // The values of each node are kept.
  { ...counting, pql: "facts{}", facets: [["name"]], distinct: "value", limit: 3 },
  { ...counting, pql: 'facts{ name = "load" }', facets: [["environment"]], distinct: "value" },
  { ...counting, pql: 'facts{ name = "uptime" }', facets: [["environment"]], distinct: "value" },
  { ...counting, pql: 'fact_contents{ path = ["uptime"] }', facets: [["value"]], limit: 3 },
  { ...counting, pql: 'fact_contents{ name = "load" }', facets: [["value"]], per: "certname", distinct: "certname" },
];

describe("facets that are counted by stripes of nodes", () => {
  it("are the same as if the engine had counted all rows", { timeout: 300_000 }, async () => {
    const { store } = await populated();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const change of steps) {
          await change(store);
          for (const spec of specs) expect(await facets(store, spec)).toEqual(await counted(store, spec));
        }
      }),
      { numRuns: byLength({ short: 8, long: 100 }) },
    );
    await store.close();
  });

  it("are of one state while commands are being stored", { timeout: 120_000 }, async () => {
    const { store } = await populated();
    const spec = { ...counting, pql: 'resources{ type = "File" and title = "/a" }', facets: [["parameters.ensure"]] };
    const sent = (async () => {
      for (let turn = 0; turn < 60; turn++) await sendCatalog(store, `node-${turn}`, ["/a"], `e${turn % 5}`);
    })();
    for (let turn = 0; turn < 60; turn++) {
      const { total, facets: found } = await facets(store, spec);
      expect(found[0]?.values.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      expect(total).toBe(names.length);
    }
    await sent;
    expect(await facets(store, spec)).toEqual(await counted(store, spec));
    await store.close();
  });

  it("are read again only for the stripe with a change", async () => {
    const { store, database } = await populated();
    const spec = { ...counting, pql: 'resources{ type = "File" }', facets: [["title"]] };
    // The groups are kept from the second time on.
    for (let turn = 0; turn < 2; turn++) await facets(store, spec);
    // A deletion outside of a transaction is not noticed.
    await database.execute("DELETE FROM catalog_resources");
    await sendCatalog(store, "node-69", ["/only"], "file");
    const after = await facets(store, spec);
    const values = new Map(after.facets[0]?.values.map((each) => [each.value, each.count]));
    expect(values.get("/only")).toBe(1);
    // Stripes of the 70 nodes: 1 to 31, 32 to 63, 64 to 70.
    expect(values.get("/a")).toBe(63);
    expect(await counted(store, spec)).toMatchObject({ total: 1 });
    await store.close();
  });

  it("also give the number of rows without limit", async () => {
    const { store, database } = await populated();
    const plan = store.queries.plan({ of: "root", pql: 'resources[title]{ type = "File" limit 1 }' });
    const total = async (): Promise<bigint | null> => {
      const { rows, total: counted } = await store.queries.run(plan, { withTotal: true });
      for await (const _ of rows);
      return counted;
    };
    for (let turn = 0; turn < 3; turn++) expect(await total()).toBe(105n);
    await sendCatalog(store, "node-3", ["/a", "/b", "/c"], "file");
    expect(await total()).toBe(107n);
    // A deletion outside of a transaction is not noticed.
    await database.execute("DELETE FROM catalog_resources");
    expect(await total()).toBe(107n);
    await store.close();
  });

  it("are kept within a limit", async () => {
    const { store, database } = await populated();
    const kept = new StripedCounts(database, new NodeChanges(), 10);
    const wanted = facetSelection({ ...counting, pql: "resources{}", facets: [["type"]] });
    for (let turn = 0; turn < 3; turn++) {
      expect(await kept.read(wanted, store.queries.planningContext, {})).toBeUndefined();
    }
    expect(kept.bytes).toBe(0);
    await store.close();
  });
});
