import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { bucketStarts, type TimeRange, widthOf } from "#storage/query/histogram/buckets.ts";
import type { HistogramSpec } from "#storage/query/histogram/histogram.ts";
import type { Histogram } from "#storage/query/histogram/result.ts";
import type { Store } from "#storage/store.ts";
import { Zone } from "#storage/time/zone.ts";
import { queryRows } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { generatedStore, POPULATION_TIME } from "./fixture-population.ts";

const now = Date.parse(POPULATION_TIME);
const DAY = 86_400_000;

let store: Store;

beforeAll(async () => {
  store = await generatedStore();
});

afterAll(() => store.close());

const usual = { pql: "reports{}", field: "producer_timestamp", from: now - 9 * DAY, to: now, buckets: 60, zone: "UTC" };

async function histogram(spec: Partial<HistogramSpec>): Promise<Histogram> {
  return store.queries.histogram(store.queries.planHistogram({ ...usual, ...spec }));
}

async function rowsOf(pql: string): Promise<JsonObject[]> {
  return (await queryRows(store, { of: "root", pql })).filter(isObject);
}

/** The series that a row belongs to. */
function seriesOf(row: JsonObject, entity: string, by: string): string {
  const value: Json = row[by] ?? null;
  if (entity !== "reports" || by !== "status") return typeof value === "string" ? value : stringifyJson(value);
  if (value === "failed") return value;
  if (row["cached_catalog_status"] === "on_failure") return "hidden";
  if (row["corrective_change"] === true) return "corrective";
  if (value === "changed") return value;
  return row["noop_pending"] === true ? "pending" : "unchanged";
}

/** Counts by bucket and series, those that are 0 left out. */
function countsInTypeScript(
  rows: readonly JsonObject[],
  { entity, field, by }: { entity: string; field: string; by: string },
  range: TimeRange,
  starts: readonly number[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const time = Date.parse(stringifyJson(row[field] ?? null).slice(1, -1));
    if (!(time >= range.from && time < range.to)) continue;
    const start = starts.findLast((each) => each <= time) ?? Number.NaN;
    const key = `${new Date(start).toISOString()} ${seriesOf(row, entity, by)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function countsOf({ series, buckets }: Histogram): Map<string, number> {
  const counts = buckets.flatMap(([from, ...numbers]) =>
    numbers.map((count, index) => [`${from} ${series[index]}`, count] as const),
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

const subjects = [
  { entity: "reports", field: "producer_timestamp", by: "status" },
  { entity: "reports", field: "end_time", by: "corrective_change" },
  { entity: "reports", field: "producer_timestamp", by: "environment" },
  { entity: "events", field: "timestamp", by: "status" },
  { entity: "events", field: "run_end_time", by: "resource_type" },
] as const;

describe("a histogram", () => {
  it.each(subjects)("of $entity by $by counts their rows, each once", async (subject) => {
    const rows = await rowsOf(`${subject.entity}{}`);
    const range = fc
      .tuple(fc.integer({ min: now - 12 * DAY, max: now + DAY }), fc.integer({ min: 1, max: 20 * DAY }))
      .map(([from, length]) => ({ from, to: from + length }));
    const zone = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/New_York");
    await fc.assert(
      fc.asyncProperty(range, fc.integer({ min: 1, max: 200 }), zone, async (during, buckets, name) => {
        const { entity, field, by } = subject;
        const counted = await histogram({ pql: `${entity}{}`, field, by, ...during, buckets, zone: name });
        const starts = bucketStarts(during, widthOf(during, buckets), Zone.named(name) as Zone);
        expect(counted.buckets.map(([from]) => Date.parse(from))).toEqual(starts);
        expect(countsOf(counted)).toEqual(countsInTypeScript(rows, subject, during, starts));
      }),
      { numRuns: byLength({ short: 12, long: 150 }) },
    );
  });

  it("counts rows that meet the query's conditions, without series if none are wanted", async () => {
    const failed = await rowsOf('reports{ status = "failed" }');
    const { series, buckets } = await histogram({ pql: 'reports{ status = "failed" }' });
    expect(series).toEqual(["count"]);
    expect(buckets.reduce((sum, [, count = 0]) => sum + count, 0)).toBe(failed.length);
  });

  it("has a series for each outcome of runs, also for those that do not occur", async () => {
    const { series, buckets } = await histogram({ by: "status", from: now + DAY, to: now + 2 * DAY, buckets: 24 });
    expect(series).toEqual(["failed", "hidden", "corrective", "changed", "pending", "unchanged"]);
    expect(buckets).toHaveLength(24);
    expect(new Set(buckets.flatMap(([, ...counts]) => counts))).toEqual(new Set([0]));
  });

  it("adds up the rarest of many series", async () => {
    const { series, buckets } = await histogram({ by: "certname", from: now - 30 * DAY });
    const rows = await rowsOf("reports{}");
    expect(series).toHaveLength(20);
    expect(series.at(-1)).toBe("others");
    expect(buckets.flatMap(([, ...counts]) => counts).reduce((sum, count) => sum + count, 0)).toBe(rows.length);
  });

  it.each<[string, Partial<HistogramSpec>, string]>([
    ["a field that is no time", { field: "status" }, "'status' is not a time"],
    ["a field that there is not", { field: "nope" }, "'nope' is not a queryable object for reports"],
    ["a zone that there is not", { zone: "Mars" }, "'Mars' is not a time zone"],
    ["a list", { pql: "events{}", field: "timestamp", by: "containment_path" }, "is a list"],
    ["a range that ends before it begins", { from: now, to: now }, "ends before it begins"],
    ["a range that is too long", { from: 0 }, "narrow it"],
    ["a projection", { pql: "reports[status]{}" }, "here a query is an entity and its conditions"],
  ])("refuses %s", async (_, spec, message) => {
    await expect(histogram(spec)).rejects.toThrow(message);
  });
});
