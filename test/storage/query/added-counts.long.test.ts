import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import type { FacetsSpec } from "#storage/query/facets/facets.ts";
import { PairCounts } from "#storage/query/facets/pair-counts.ts";
import { movedWindow, type Window } from "#storage/query/facets/time-window.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { byLength } from "#test/length.ts";
import { counted, facets } from "./counted-facets.ts";

const now = Number(NOW / 1000n);
const HOUR = 3_600_000;

const iso = (ms: number): string => new Date(ms).toISOString();

async function opened(): Promise<{ store: Store; database: Database }> {
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  const store = await Store.over(database, options);
  for (let hour = 1; hour < 20; hour++) {
    await send(store, { certname: `node-${hour % 4}`, minutes: hour * 60, title: `/${hour % 3}`, status: "failed" });
  }
  // Which nodes are inactive is known after the first query.
  await store.queries.nodeNumbers({ pql: "nodes{}" });
  return { store, database };
}

interface Run {
  readonly certname: string;
  readonly minutes: number;
  readonly title: string;
  readonly status: string;
}

async function send(store: Store, { certname, minutes, title, status }: Run): Promise<void> {
  const at = iso(now - minutes * 60_000);
  const event = (changes: object): ReturnType<typeof payloads.event> => payloads.event({ timestamp: at, ...changes });
  const resources = [
    payloads.reportResource({
      resource_title: title,
      events: [event({}), event({ status: "failure", property: "p" })],
    }),
    payloads.reportResource({ resource_title: "/always", events: [event({ status: "noop" })] }),
  ];
  const times = { producer_timestamp: at, start_time: at, end_time: at };
  await store.submit(a.report(certname, { ...times, status, resources, noop: minutes % 2 === 0 }));
}

const counting = { filters: [], limit: 3, silentSince: new Date("2026-11-20T12:00:00Z") };

type SpecOf = (times: string) => FacetsSpec;

const specs: SpecOf[] = [
  (times) => ({
    ...counting,
    pql: `events{ ${times} }`,
    facets: [["status"], ["resource_title"], ["corrective_change"]],
  }),
  (times) => ({
    ...counting,
    pql: `events{ status = "success" and ${times} }`,
    facets: [["resource_type", "resource_title"]],
    per: "certname",
  }),
  (times) => ({
    ...counting,
    pql: `events{ ${times} }`,
    facets: [["resource_title"], ["message"]],
    distinct: "certname",
  }),
  (times) => ({ ...counting, pql: `events{ latest_report? = true and ${times} }`, facets: [["resource_title"]] }),
  (times) => ({ ...counting, pql: `events{ certname = "node-1" and ${times} }`, facets: [["environment", "status"]] }),
];
const ofReports: SpecOf[] = [
  (times) => ({ ...counting, pql: `reports{ ${times} }`, facets: [["status"], ["noop"], ["certname"]] }),
  (times) => ({ ...counting, pql: `reports{ status = "failed" or ${times} }`, facets: [["status"]], per: "certname" }),
];

/** Bounds of a time. Those of the same length move as the last hours do. */
const bounds = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(-2, -1, -0.5, 0, 1).map((by) => ({ from: (by - 17) * HOUR, to: by * HOUR })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      from: fc.constantFrom(-19 * HOUR, -12 * HOUR, undefined),
      to: fc.constantFrom(-HOUR, HOUR, undefined),
    }),
  },
);

function timesOf(field: string, { from, to }: { from?: number | undefined; to?: number | undefined }): string {
  const clauses = [
    ...(from === undefined ? [] : [`${field} >= "${iso(now + from)}"`]),
    ...(to === undefined ? [] : [`${field} <= "${iso(now + to)}"`]),
  ];
  return clauses.join(" and ") || `${field} > "1999-01-01T00:00:00Z"`;
}

const run = fc.record({
  certname: fc.constantFrom("node-0", "node-1", "node-2", "node-3", "other"),
  minutes: fc.integer({ min: -60, max: 20 * 60 }),
  title: fc.constantFrom("/0", "/1", "/2", "/new"),
  status: fc.constantFrom("failed", "changed", "unchanged"),
});

/** Something that changes the store. */
const step = fc.oneof(
  { weight: 8, arbitrary: run.map((each) => async (store: Store) => send(store, each)) },
  { weight: 2, arbitrary: fc.constant(async () => undefined) },
  {
    weight: 1,
    arbitrary: run.map(
      ({ certname }) =>
        async (store: Store) =>
          void (await store.submit(a.deactivation(certname, iso(now)))),
    ),
  },
  { weight: 1, arbitrary: fc.constant(async (store: Store) => store.lifecycle.clean(cleanEverything)) },
);

describe("facets of events and reports of which the counts are kept", () => {
  it("are the same as if the engine had counted all rows", { timeout: 300_000 }, async () => {
    const { store } = await opened();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, bounds), { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const [change, times] of steps) {
          await change(store);
          const wanted = [
            ...specs.map((of) => of(timesOf("timestamp", times))),
            ...ofReports.map((of) => of(timesOf("producer_timestamp", times))),
          ];
          for (const spec of wanted) expect(await facets(store, spec)).toEqual(await counted(store, spec));
        }
      }),
      { numRuns: byLength({ short: 8, long: 100 }) },
    );
    await store.close();
  });

  it("read only the events that were added since, and those that a later range leaves out", async () => {
    const { store, database } = await opened();
    const total = async (hours: number): Promise<number> => {
      const pql = `events{ timestamp >= "${iso(now - hours * HOUR)}" }`;
      return (await facets(store, { ...counting, pql, facets: [["status"]], distinct: "certname" })).total;
    };
    for (let times = 0; times < 3; times++) expect(await total(19)).toBe(3 * 19);
    // A deletion outside of a transaction is not noticed; what is added is.
    await database.execute("DELETE FROM events WHERE resource_title = '/always'");
    await send(store, { certname: "beta", minutes: 90, title: "/a", status: "changed" });
    expect(await total(19)).toBe(3 * 20);
    // Of each of the two hours that are no longer counted, only the two events are left that were not deleted.
    expect(await total(17)).toBe(3 * 20 - 2 * 2);
    await database.transaction(async (tx) => tx.execute("DELETE FROM reports WHERE false"));
    expect(await total(17)).toBe(2 * 17 + 3);
    await store.close();
  });

  it("of one length of time are kept beside those of another", async () => {
    const { store, database } = await opened();
    const total = async (hours: number): Promise<number> => {
      const pql = `events{ timestamp >= "${iso(now - hours * HOUR)}" and timestamp <= "${iso(now)}" }`;
      return (await facets(store, { ...counting, pql, facets: [["status"]] })).total;
    };
    for (let times = 0; times < 3; times++) expect([await total(4), await total(18)]).toEqual([3 * 4, 3 * 18]);
    // A deletion outside of a transaction is not noticed where only what was added is counted.
    await database.execute("DELETE FROM events");
    expect([await total(4), await total(18)]).toEqual([3 * 4, 3 * 18]);
    await store.close();
  });

  it("are of one state while reports are being stored", { timeout: 120_000 }, async () => {
    const { store } = await opened();
    const turns = Array.from({ length: 60 }, (_, turn) => turn);
    const state = { isSent: false };
    const sent = (async () => {
      for (const turn of turns)
        await send(store, { certname: `node-${turn}`, minutes: 5, title: "/a", status: "changed" });
      state.isSent = true;
    })();
    const spec = { ...counting, pql: "events{}", facets: [["status"]], limit: 10, distinct: "certname" };
    while (!state.isSent) {
      const {
        total,
        facets: [statuses],
      } = await facets(store, spec);
      const counts = statuses?.values.map(({ count }) => count) ?? [];
      // Each report has one event of each status.
      expect(new Set(counts).size).toBe(1);
      expect(total).toBe(3 * (counts[0] ?? 0));
    }
    await sent;
    expect(await facets(store, spec)).toEqual(await counted(store, spec));
    await store.close();
  });
});

describe("counts of pairs", () => {
  it("are those of a map", () => {
    const pair = fc.tuple(fc.nat(300), fc.nat(300), fc.constantFrom(1, 1, -1));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 2000 }), (pairs) => {
        const counts = new PairCounts();
        const expected = new Map<string, number>();
        for (const [first, second, sign] of pairs) {
          const key = `${first} ${second}`;
          const before = expected.get(key) ?? 0;
          if (before + sign < 0) continue;
          expected.set(key, before + sign);
          expect(counts.add(first, second, sign)).toBe(before + sign);
        }
        for (const [key, count] of expected) {
          const [first = 0, second = 0] = key.split(" ").map(Number);
          expect(counts.add(first, second, 0)).toBe(count);
        }
      }),
    );
  });

  it("need little memory", () => {
    const counts = new PairCounts();
    for (let n = 0; n < 100_000; n++) counts.add(n % 1000, n, 1);
    expect(counts.bytes / 100_000).toBeLessThan(50);
  });
});

const isIn = (at: bigint, { from, to }: Window): boolean => (from === null || at >= from) && (to === null || at < to);

describe("a window of time that moves", () => {
  const time = fc.option(fc.bigInt({ min: 0n, max: 40n }), { nil: null });
  const window = fc.record({ from: time, to: time });

  it("has the times of the one before, and those that are added, without those that are removed", () => {
    fc.assert(
      fc.property(window, window, (before, now) => {
        const moved = movedWindow(before, now);
        fc.pre(moved !== undefined);
        for (let at = 0n; at <= 40n; at++) {
          const count = (windows: readonly Window[]): number => windows.filter((each) => isIn(at, each)).length;
          expect(Number(isIn(at, before)) + count(moved?.added ?? []) - count(moved?.removed ?? [])).toBe(
            Number(isIn(at, now)),
          );
        }
      }),
      { numRuns: 2000 },
    );
  });
});
