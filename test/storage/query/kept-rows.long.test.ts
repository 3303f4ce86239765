import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { NodeChanges } from "#storage/nodes/node-changes.ts";
import { KeptRows } from "#storage/query/kept-rows.ts";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { byLength } from "#test/length.ts";
import { names, populated, sendCatalog, sendFacts, sendFactsAgain, step } from "./changing-store.ts";

interface Page {
  readonly texts: string[];
  readonly total: bigint | null;
}

async function page({ queries }: Store, spec: QuerySpec): Promise<Page> {
  const { rows, total } = await queries.run(queries.plan(spec), { withTotal: true });
  const texts: string[] = [];
  for await (const some of rows) texts.push(...some.texts());
  return { texts, total };
}

/** As the engine reads it. */
async function readPage({ queries }: Store, database: Database, spec: QuerySpec): Promise<Page> {
  const plan = queries.plan(spec);
  const read = async (statement: typeof plan.rows): Promise<string[]> => {
    const texts: string[] = [];
    for await (const some of database.texts(statement)) texts.push(...some);
    return texts;
  };
  return { texts: await read(plan.rows), total: BigInt((await read(plan.total()))[0] ?? "") };
}

const specs = [
  'fact_contents[certname, value]{ path = ["load"] order by value, certname limit 7 }',
  'fact_contents[certname, value]{ path = ["load"] order by value desc, certname limit 20 offset 3 }',
  'facts[certname, value, environment]{ name = "load" order by certname desc limit 100 }',
  'facts[certname, value]{ name = "uptime" order by certname limit 9 }',
  'facts[certname, value]{ name in ["load", "uptime"] order by name, certname limit 9 offset 60 }',
  'resources[certname, parameters, file]{ type = "File" and title = "/a" order by certname limit 5 offset 60 }',
  'resources[certname, title]{ type = "File" order by file desc, title desc, certname limit 9 }',
  'resources[certname, file]{ type = "File" and title = "/ä" order by file, certname limit 9 offset 99 }',
].map((pql): QuerySpec => ({ of: "root", pql }));

function pageAt(limit: number): QuerySpec {
  return { of: "root", pql: `resources[certname]{ type = "File" and title = "/a" order by certname limit ${limit} }` };
}

describe("pages of lists of which the rows are kept", () => {
  it("are the same as if the engine had read them", { timeout: 300_000 }, async () => {
    const { store, database } = await populated();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const change of steps) {
          await change(store);
          for (const spec of specs) expect(await page(store, spec)).toEqual(await readPage(store, database, spec));
        }
      }),
      { numRuns: byLength({ short: 8, long: 100 }) },
    );
    await store.close();
  });

  it("are of one state while commands are being stored", { timeout: 120_000 }, async () => {
    const { store, database } = await populated();
    const spec: QuerySpec = {
      of: "root",
      pql: 'resources[certname, title]{ type = "File" order by title, certname limit 500 }',
    };
    const sent = (async () => {
      // Each commit changes one resource for another.
      for (let turn = 0; turn < 60; turn++) await sendCatalog(store, "node-1", [turn % 2 === 0 ? "/b" : "/a"], "file");
    })();
    for (let turn = 0; turn < 60; turn++) {
      const { texts, total } = await page(store, spec);
      expect([texts.length, total]).toEqual([105, 105n]);
    }
    await sent;
    expect(await page(store, spec)).toEqual(await readPage(store, database, spec));
    await store.close();
  });

  it("are read again only for nodes with a change, and answer for other pages", async () => {
    const { store, database } = await populated();
    // The rows are kept from the second time on.
    for (let turn = 0; turn < 2; turn++) await page(store, pageAt(2));
    // A deletion outside of a transaction is not noticed.
    await database.execute("DELETE FROM catalog_resources");
    await sendCatalog(store, "node-10", ["/only"], "file");
    expect(await page(store, pageAt(3))).toEqual({
      texts: ["node-0", "node-1", "node-11"].map((certname) => JSON.stringify({ certname })),
      total: BigInt(names.length - 1),
    });
    await store.close();
  });

  it("are not read again for nodes of which nothing has changed that they have", async () => {
    const { store, database } = await populated();
    const of = async (name: string): Promise<Page> =>
      page(store, { of: "root", pql: `facts[certname, value]{ name = "${name}" order by certname limit 2 }` });
    for (let turn = 0; turn < 2; turn++) await Promise.all([of("load"), of("uptime")]);
    const before = await of("load");
    // A deletion outside of a transaction is not noticed.
    await database.execute("DELETE FROM short_facts");
    await Promise.all(
      names.slice(1).flatMap((name) => [sendFactsAgain(store, name), sendCatalog(store, name, ["/only"], "file")]),
    );
    expect(await of("load")).toEqual(before);
    expect((await of("uptime")).total).toBe(BigInt(names.length - 1));
    await store.close();
  });

  it.each([
    ["have ties", 'resources[certname]{ type = "File" order by certname limit 2 }'],
    ["have no limit", 'resources[certname]{ type = "File" and title = "/a" order by certname }'],
    [
      "are in the order of numbers",
      'resources[certname]{ type = "File" and title = "/a" order by line, certname limit 2 }',
    ],
    [
      "depend on other rows",
      'resources[certname]{ type = "File" and title = "/a" and certname in nodes[certname]{} order by certname limit 2 }',
    ],
    ["have nodes in them", "nodes[certname]{ order by certname limit 2 }"],
  ])("are not those of lists that %s", async (_, pql) => {
    const { store, database } = await populated();
    const kept = new KeptRows(database, new NodeChanges());
    const { selection } = store.queries.plan({ of: "root", pql });
    if (selection === undefined) throw new Error("the plan has no selection");
    for (let turn = 0; turn < 3; turn++) {
      expect(await kept.read(selection, store.queries.planningContext, {})).toBeUndefined();
    }
    await store.close();
  });

  it.each([5000, 3_000_000])("are not kept where a row has %i characters", async (length) => {
    const { store, database } = await populated();
    await sendFacts(store, "node-3", "x".repeat(length));
    const kept = new KeptRows(database, new NodeChanges());
    for (const spec of specs.slice(0, 3)) {
      const { selection } = store.queries.plan(spec);
      if (selection === undefined) throw new Error("the plan has no selection");
      for (let turn = 0; turn < 3; turn++) {
        expect(await page(store, spec)).toEqual(await readPage(store, database, spec));
        expect(await kept.read(selection, store.queries.planningContext, {})).toBeUndefined();
      }
    }
    await store.close();
  });

  it("are kept within a limit", async () => {
    const { store, database } = await populated();
    const kept = new KeptRows(database, new NodeChanges(), 1000);
    const { selection } = store.queries.plan(specs[0] as QuerySpec);
    if (selection === undefined) throw new Error("the plan has no selection");
    for (let turn = 0; turn < 3; turn++) {
      expect(await kept.read(selection, store.queries.planningContext, {})).toBeUndefined();
    }
    expect(kept.bytes).toBe(0);
    await store.close();
  });
});
