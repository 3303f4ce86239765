import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { parseJson } from "#storage/json.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { type HistogramSpec, readHistogram } from "#storage/query/histogram/histogram.ts";
import { KeptCounts, type TimedCount } from "#storage/query/histogram/kept-counts.ts";
import type { Histogram } from "#storage/query/histogram/result.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { byLength } from "#test/length.ts";

const now = Number(NOW / 1000n);
const DAY = 86_400_000;

async function opened(): Promise<{ store: Store; database: Database }> {
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  return { store: await Store.over(database, options), database };
}

/** The same histogram of all rows, counted anew. */
async function counted({ queries }: Store, spec: HistogramSpec): Promise<Histogram> {
  const { plan, of } = queries.planHistogram(spec);
  const counts: TimedCount[] = [];
  for await (const rows of (await queries.run(plan)).rows) {
    counts.push(...rows.texts().map((text) => parseJson(text) as unknown as TimedCount));
  }
  return of(counts);
}

const certname = fc.constantFrom("alpha", "beta", "gamma");
const minutes = fc.integer({ min: 1, max: 20 * 24 * 60 });

interface Run {
  readonly certname: string;
  readonly minutes: number;
  readonly status: string;
}

async function send(store: Store, run: Run): Promise<void> {
  const at = new Date(now - run.minutes * 60_000).toISOString();
  const times = { producer_timestamp: at, start_time: at, end_time: at };
  const [first, second] = [payloads.event({ timestamp: at }), payloads.event({ timestamp: at, status: "failure" })];
  const resources = run.status === "unchanged" ? [] : [payloads.reportResource({ events: [first, second] })];
  await store.submit(a.report(run.certname, { ...times, status: run.status, noop: run.minutes % 2 === 0, resources }));
}

const run = fc.record({ certname, minutes, status: fc.constantFrom("failed", "changed", "unchanged") });

/** Something that changes the store. */
const step = fc.oneof(
  { weight: 6, arbitrary: run.map((each) => async (store: Store) => send(store, each)) },
  { weight: 1, arbitrary: certname.map((name) => async (store: Store) => deactivate(store, name)) },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.lifecycle.clean(cleanEverything)) },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.reset()) },
);

async function deactivate(store: Store, name: string): Promise<void> {
  await store.submit(a.deactivation(name, new Date(now).toISOString()));
}

const ofReports = {
  pql: fc.constantFrom("reports{}", 'reports{ status = "failed" }', "reports{ latest_report? = true }"),
  field: fc.constantFrom("producer_timestamp", "end_time"),
  by: fc.constantFrom("status", "noop", "certname", undefined),
};
const ofEvents = {
  pql: fc.constantFrom("events{}", 'events{ status = "failure" }', 'events{ environment = "production" }'),
  field: fc.constantFrom("timestamp", "run_end_time"),
  by: fc.constantFrom("status", "corrective_change", "certname", undefined),
};

const spec = fc
  .oneof(fc.record(ofReports), fc.record(ofEvents))
  .chain((what) =>
    fc.record({
      pql: fc.constant(what.pql),
      field: fc.constant(what.field),
      by: fc.constant(what.by),
      from: fc.integer({ min: now - 16 * DAY, max: now }),
      length: fc.integer({ min: 1, max: 16 * DAY }),
      buckets: fc.constantFrom(14, 60, 200),
      zone: fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu"),
    }),
  )
  .map(({ from, length, by, ...rest }) => ({
    ...rest,
    from,
    to: from + length,
    ...(by === undefined ? {} : { by }),
  }));

/** A store in which a run of each of 19 hours failed. */
async function openedWithHours(): ReturnType<typeof opened> {
  const parts = await opened();
  for (let hour = 1; hour < 20; hour++) {
    await send(parts.store, { certname: "alpha", minutes: hour * 60, status: "failed" });
  }
  return parts;
}

/** All reports of a day by the hour. */
const byHour = { pql: "reports{}", field: "producer_timestamp", from: now - DAY, to: now, buckets: 24, zone: "UTC" };

describe("histograms whose counts are kept in memory", () => {
  it("are the same as if all rows had been counted anew", { timeout: 300_000 }, async () => {
    const { store } = await opened();
    for (let hour = 1; hour < 300; hour += 7)
      await send(store, { certname: "alpha", minutes: hour * 60, status: "failed" });
    await store.save();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, spec), { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const [change, spec] of steps) {
          await change(store);
          const histogram = store.queries.histogram(store.queries.planHistogram(spec));
          expect(await histogram).toEqual(await counted(store, spec));
        }
      }),
      { numRuns: byLength({ short: 5, long: 60 }) },
    );
    await store.close();
  });

  it("read only the events that were added since", async () => {
    const { store, database } = await openedWithHours();
    const events = { ...byHour, pql: "events{}", field: "timestamp" };
    const total = async (): Promise<number> => {
      const { buckets } = await store.queries.histogram(store.queries.planHistogram(events));
      return buckets.reduce((sum, [, count = 0]) => sum + count, 0);
    };
    await store.queries.nodeNumbers({ pql: "nodes{}" });
    await expect.poll(total).toBe(2 * 19);
    await database.execute("DELETE FROM events");
    await send(store, { certname: "beta", minutes: 90, status: "changed" });
    expect(await total()).toBe(2 * 20);
    await store.close();
  });

  it("read only what was added since", async () => {
    const { store, database } = await openedWithHours();
    const total = async (): Promise<number> => {
      const { buckets } = await store.queries.histogram(store.queries.planHistogram(byHour));
      return buckets.reduce((sum, [, count = 0]) => sum + count, 0);
    };
    // Which nodes are inactive is known after the first query.
    await expect.poll(total).toBe(19);
    await store.queries.nodeNumbers({ pql: "nodes{}" });
    await expect.poll(total).toBe(19);
    // A deletion outside of a transaction is not noticed; what is added is.
    await database.execute("DELETE FROM reports");
    await send(store, { certname: "beta", minutes: 90, status: "changed" });
    expect(await total()).toBe(20);
    await database.transaction(async (tx) => tx.execute("DELETE FROM reports WHERE false"));
    expect(await total()).toBe(1);
    await store.close();
  });

  it("are kept within a limit, the most recently used ones", async () => {
    const { store, database } = await openedWithHours();
    const { planningContext } = store.queries;
    const context = { ...planningContext, nodeOf: () => undefined, inactive: "0" };
    const present = { context, isCurrent: () => true };
    const read = async (kept: KeptCounts, pql: string): Promise<TimedCount[] | undefined> => {
      const range = { from: now - DAY, to: now };
      const { timed } = readHistogram({ pql, field: "producer_timestamp", ...range, buckets: 24, zone: "UTC" });
      return kept.read(timed, range, present, {});
    };
    const roomy = new KeptCounts(database, 100_000);
    const counts = await read(roomy, "reports{}");
    expect(counts).not.toEqual([]);
    const { bytes: one } = roomy;
    await read(roomy, 'reports{ status = "failed" }');
    expect(roomy.bytes).toBeGreaterThan(one);
    const narrow = new KeptCounts(database, one);
    await read(narrow, 'reports{ status = "failed" }');
    expect(narrow.bytes).toBe(0);
    expect(await read(narrow, "reports{}")).toEqual(counts);
    expect(narrow.bytes).toBe(one);
    await store.close();
  });

  it("are counted from the rows while rows are being deleted", async () => {
    const { store, database } = await openedWithHours();
    const same = async (): Promise<void> => {
      const histogram = store.queries.histogram(store.queries.planHistogram(byHour));
      expect(await histogram).toEqual(await counted(store, byHour));
    };
    await same();
    await database.transaction(async (tx) => {
      await tx.execute("DELETE FROM reports WHERE id < 5");
      await same();
    });
    await same();
    await database
      .transaction(async (tx) => {
        await tx.execute("DELETE FROM reports");
        await same();
        throw new Error("given up");
      })
      .catch(() => undefined);
    await same();
    await store.close();
  });
});
