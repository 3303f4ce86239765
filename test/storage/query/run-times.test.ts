import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { type Metric, runTime } from "#storage/display/run-time.ts";
import type { JsonObject } from "#storage/json.ts";
import type { HistogramSpec } from "#storage/query/histogram/histogram.ts";
import type { Histogram } from "#storage/query/histogram/result.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, NOW } from "#test/fixture-store.ts";

const now = Number(NOW / 1000n);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Run {
  readonly certname: string;
  readonly environment: string;
  readonly status: "failed" | "changed" | "unchanged";
  /** When it was produced, ms. */
  readonly at: number;
  readonly seconds: number;
  readonly metrics: readonly Metric[];
}

const random = new Random(7, 0, "run times");
const metricNames = ["exec", "file", "package", "concat_file", "total", "config_retrieval", "transaction_evaluation"];

function metricsOf(): Metric[] {
  const times = metricNames.filter(() => random.chance(0.7));
  return [
    { category: "resources", name: "total", value: random.integer(1, 900) },
    ...times.map((name) => ({ category: "time", name, value: random.decimal(0, 90, 3) })),
  ];
}

/** Runs of nodes, each with as many as it likes; every third node takes longer since some time. */
const runs = Array.from({ length: 24 }, (_, node): Run[] => {
  const [usual, change] = [random.decimal(5, 60, 3), random.integer(2, 8)];
  const times = Array.from({ length: random.integer(1, 18) }, () => now - random.integer(1, 9 * DAY));
  return [...new Set(times)]
    .sort((one, other) => other - one)
    .map((at, age) => ({
      certname: `node-${node}.example.com`,
      environment: random.chance(0.8) ? "production" : "test",
      status: random.weighted([
        ["failed", 1],
        ["changed", 2],
        ["unchanged", 3],
      ]),
      at,
      seconds: usual * random.decimal(0.8, 1.2, 3) * (node % 3 === 0 && age < change ? 3 : 1),
      metrics: metricsOf(),
    }));
}).flat();

function reportOf({ at, seconds, metrics, ...run }: Run): JsonObject {
  return {
    ...run,
    producer_timestamp: new Date(at).toISOString(),
    start_time: new Date(at - Math.round(1000 * seconds)).toISOString(),
    end_time: new Date(at).toISOString(),
    metrics: metrics.map((metric) => ({ ...metric })),
    transaction_uuid: random.uuid(),
    resources: [],
    logs: [],
  };
}

let store: Store;

beforeAll(async () => {
  store = await emptyStore();
  for (const run of runs) await store.submit(a.report(run.certname, reportOf(run)));
  // Nodes that are gone do not count.
  const gone = { ...(runs[0] as Run), certname: "gone.example.com", seconds: 5000 };
  for (let age = 0; age < 12; age++) {
    await store.submit(
      a.report(gone.certname, reportOf({ ...gone, at: now - age * HOUR, seconds: age < 5 ? 5000 : 9 })),
    );
  }
  await store.submit(a.deactivation(gone.certname, new Date(now).toISOString()));
});

afterAll(() => store.close());

const seconds = (run: Run): number => Math.round(1000 * run.seconds) / 1000;

function byNode(environment?: string): Run[][] {
  const counted = runs.filter((run) => environment === undefined || run.environment === environment);
  return [...Map.groupBy(counted, ({ certname }) => certname).values()];
}

/** The number below which a share of all are. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [below = NaN, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}

function rounded(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "number" ? Math.round(1e6 * value) / 1e6 : value,
  );
}

describe("run times", () => {
  it.each([undefined, "production"])("add up what the latest runs spent on each type (in %s)", async (environment) => {
    const sums = new Map<string, { seconds: number; runs: number; longest: number; certname: string }>();
    for (const [latest] of byNode()) {
      if (latest === undefined || (environment !== undefined && latest.environment !== environment)) continue;
      for (const { name, seconds: spent } of runTime(latest.metrics).types) {
        const { longest, certname, ...before } = sums.get(name) ?? { seconds: 0, runs: 0, longest: -1, certname: "" };
        sums.set(name, {
          seconds: before.seconds + spent,
          runs: before.runs + 1,
          ...(spent > longest ? { longest: spent, certname: latest.certname } : { longest, certname }),
        });
      }
    }
    const { types } = await store.queries.slowestTypes({ environment });
    expect(types.map(({ type }) => type)).toEqual(
      [...sums].toSorted(([, one], [, other]) => other.seconds - one.seconds).map(([type]) => type),
    );
    for (const { type, report, ...found } of types) {
      expect(found).toEqual({
        ...sums.get(type),
        seconds: expect.closeTo(sums.get(type)?.seconds ?? NaN, 6) as number,
      });
      expect(report).toMatch(/^[\da-f]{40}$/);
    }
    expect(types.length).toBe(4);
  });

  it.each([undefined, "production"])("name the nodes that take longer than before (in %s)", async (environment) => {
    const expected = byNode(environment).flatMap((own) => {
      if (own.length < 10) return [];
      const times = own.map(seconds);
      const [recent, earlier] = [quantile(times.slice(0, 5), 0.5), quantile(times.slice(5), 0.5)];
      if (recent < 1.5 * earlier || recent < earlier + 10) return [];
      return [{ certname: own[0]?.certname, earlier, recent, factor: recent / earlier, runs: own.length - 5 }];
    });
    expected.sort((one, other) => other.factor - one.factor);
    const { nodes } = await store.queries.slowerNodes({ environment });
    expect(rounded(nodes)).toBe(rounded(expected));
    expect(nodes.length).toBeGreaterThan(1);
  });
});

const spec = { pql: "reports{}", field: "producer_timestamp", from: now - 9 * DAY, to: now, buckets: 9, zone: "UTC" };

async function histogram(more: Partial<HistogramSpec>): Promise<Histogram> {
  return store.queries.histogram(store.queries.planHistogram({ ...spec, ...more }));
}

/** By zone, how many hours before those of UTC its days begin. */
const zones = { UTC: 0, "Asia/Tokyo": 9 } as const;

describe.each(["UTC", "Asia/Tokyo"] as const)("days in %s", (zone) => {
  const dayOf = ({ at }: Run): string => {
    const ahead = zones[zone] * HOUR;
    return new Date(Math.floor((at + ahead) / DAY) * DAY - ahead).toISOString();
  };

  it("have the median and the 95th percentile of their runs", async () => {
    const { series, buckets } = await histogram({ measure: "duration", zone });
    expect(series).toEqual(["runs", "median", "p95"]);
    const days = Map.groupBy(runs, dayOf);
    expect(buckets).toEqual(
      [...days]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([day, own]) => {
          const [median, p95] = [0.5, 0.95].map((share) => quantile(own.map(seconds), share));
          return [day, own.length, expect.closeTo(median ?? NaN, 6), expect.closeTo(p95 ?? NaN, 6)] as unknown[];
        }),
    );
  });

  it("count each node once, by its last run of the day", async () => {
    const { series, buckets } = await histogram({ measure: "nodes", by: "status", zone });
    for (const [day, ...counts] of buckets) {
      const own = Map.groupBy(
        runs.filter((run) => dayOf(run) === day),
        ({ certname }) => certname,
      );
      // The newest of each node is first.
      const last = [...own.values()].map(([newest]) => newest?.status);
      expect([day, ...counts]).toEqual([day, ...series.map((name) => last.filter((status) => status === name).length)]);
    }
  });
});

it.each<[string, Partial<HistogramSpec>, string]>([
  ["nodes of events", { pql: "events{}", field: "timestamp", by: "status", measure: "nodes" }, "nodes are counted in"],
  ["nodes that are not apart by status", { by: "environment", measure: "nodes" }, "nodes are counted in reports"],
  ["durations of facts", { pql: "factsets{}", field: "timestamp", measure: "duration" }, "only reports have durations"],
  ["durations by status", { by: "status", measure: "duration" }, "of all runs of a bucket"],
])("a histogram refuses %s", async (_, more, message) => {
  await expect(histogram(more)).rejects.toThrow(message);
});
