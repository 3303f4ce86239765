import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { NodeChanges } from "#storage/nodes/node-changes.ts";
import { facetSelection } from "#storage/query/facets/facets.ts";
import { NodeColumns } from "#storage/query/facets/node-columns.ts";
import { nodeFacets } from "#storage/query/facets/node-facets.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { counted, facets } from "./counted-facets.ts";

const silentSince = new Date("2026-11-20T12:00:00Z");
const common = { filters: [], limit: 10, silentSince };

async function opened(): Promise<{ store: Store; database: Database }> {
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  return { store: await Store.over(database, options), database };
}

let seconds = 0;

/** A time of its own, later than all before. */
function later(): string {
  return new Date(Date.parse("2026-11-20T10:00:00Z") + ++seconds * 1000).toISOString();
}

const certname = fc.constantFrom("alpha", "beta", "gamma", "delta");
const kernel = fc.constantFrom("Linux", "windows", "x".repeat(2000), { release: 1 });
const status = fc.constantFrom("failed", "changed", "unchanged");

/** Something that changes the store. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(certname, kernel).map(
      ([name, value]) =>
        async (store: Store) =>
          send(store, name, { kernel: value, os: { name: "Debian" }, uptime: later() }),
    ),
  },
  {
    weight: 3,
    arbitrary: certname.map((name) => async (store: Store) => send(store, name, { kernel: "Linux", uptime: later() })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(certname, status).map(([name, outcome]) => async (store: Store) => {
      const at = later();
      const times = { producer_timestamp: at, start_time: at, end_time: at };
      await store.submit(a.report(name, { ...times, status: outcome }));
    }),
  },
  { weight: 1, arbitrary: certname.map((name) => async (store: Store) => store.submit(a.deactivation(name, later()))) },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.lifecycle.clean(cleanEverything)) },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.reset()) },
);

async function send(store: Store, name: string, values: Record<string, unknown>): Promise<void> {
  await store.submit(a.facts(name, { producer_timestamp: later(), values: values as never }));
}

const wanted = fc.record({
  pql: fc.constantFrom("nodes{}", 'nodes{ latest_report_status = "failed" }', 'nodes{ certname = "alpha" }'),
  facets: fc.constantFrom(
    [["facts.kernel"], ["state"]],
    [["facts.kernel", "state"], ["facts.os.name"]],
    [["facts.os"]],
    [["facts.uptime"], ["facts.kernel"]],
  ),
  filters: fc.constantFrom(
    [],
    [{ field: "facts.kernel", value: "Linux", excludes: false }],
    [{ field: "facts.kernel", value: null, excludes: true }],
    [{ field: "state", value: "failed", excludes: true }],
  ),
});

describe("facets that are counted from columns in memory", () => {
  it("are the same as if the engine had counted them", { timeout: 300_000 }, async () => {
    const { store } = await opened();
    await send(store, "alpha", { kernel: "Linux" });
    await store.save();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, wanted), { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const [change, spec] of steps) {
          await change(store);
          expect(await facets(store, { ...common, ...spec })).toEqual(await counted(store, { ...common, ...spec }));
        }
      }),
      { numRuns: byLength({ short: 8, long: 100 }) },
    );
    await store.close();
  });

  it("are the same while commands are being stored", async () => {
    const { store } = await opened();
    const spec = { ...common, pql: "nodes{}", facets: [["facts.kernel"]] };
    const sent = (async () => {
      for (let turn = 0; turn < 40; turn++) await send(store, `node-${turn % 7}`, { kernel: `k${turn % 3}` });
    })();
    for (let turn = 0; turn < 40; turn++) {
      const { total, facets: found } = await facets(store, spec);
      expect(found[0]?.values.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    }
    await sent;
    const { facets: found } = await facets(store, spec);
    expect(await counted(store, spec)).toMatchObject({ total: 7, facets: found });
    await store.close();
  });

  it("read only the nodes that have changed since", async () => {
    const { store, database } = await opened();
    for (const name of ["alpha", "beta"]) await send(store, name, { kernel: "Linux" });
    const spec = { ...common, pql: "nodes{}", facets: [["facts.kernel"]] };
    expect(await facets(store, spec)).toMatchObject({ facets: [{ values: [{ value: "Linux", count: 2 }] }] });
    // A deletion outside of a transaction is not noticed.
    await database.execute("DELETE FROM short_facts");
    await send(store, "gamma", { kernel: "windows" });
    const values = [
      { value: "Linux", count: 2 },
      { value: "windows", count: 1 },
    ];
    expect(await facets(store, spec)).toMatchObject({ facets: [{ values }] });
    expect(await counted(store, spec)).toMatchObject({ facets: [{ values: [{ value: "windows", count: 1 }] }] });
    await store.close();
  });

  it("are kept within a limit", async () => {
    const { store, database } = await opened();
    await send(store, "alpha", { kernel: "Linux" });
    const kept = new NodeColumns(database, new NodeChanges(), 10);
    const ofNodes = nodeFacets(facetSelection({ ...common, pql: "nodes{}", facets: [["facts.kernel"]] }));
    if (ofNodes === undefined) throw new Error("they are not counted of columns");
    const values = await kept.read(ofNodes, store.queries.planningContext, {});
    expect(values?.[0]).toContain('"Linux"');
    expect(kept.bytes).toBe(0);
    await store.close();
  });
});
