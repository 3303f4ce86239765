import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketStarts, bucketWidths, MOST_BUCKETS, widthOf } from "#storage/query/histogram/buckets.ts";
import { Zone } from "#storage/time/zone.ts";
import { byLength } from "#test/length.ts";

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
];

function zoneNamed(name: string): Zone {
  const zone = Zone.named(name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  return zone;
}

function starts(zone: string, width: string, from: string, to: string): string[] {
  const found = bucketWidths.find(({ name }) => name === width);
  if (found === undefined) throw new Error(`no width ${width}`);
  const range = { from: Date.parse(from), to: Date.parse(to) };
  return bucketStarts(range, found, zoneNamed(zone)).map((start) => new Date(start).toISOString().slice(0, 16));
}

describe("the width of buckets", () => {
  it.each([
    ["1 h of an hour's minutes", 3_600_000, 60, "1 min"],
    ["a day in 24", 86_400_000, 24, "1 h"],
    ["a day in 100", 86_400_000, 100, "15 min"],
    ["14 days in 60", 14 * 86_400_000, 60, "6 h"],
    ["14 days in 14", 14 * 86_400_000, 14, "1 d"],
    ["a year in 60", 365 * 86_400_000, 60, "7 d"],
    ["a year in 3, which no width fits", 365 * 86_400_000, 3, "7 d"],
  ])("is the smallest that fits for %s", (_, length, buckets, name) => {
    expect(widthOf({ from: 0, to: length }, buckets).name).toBe(name);
  });

  it("is undefined for a range that is too long", () => {
    expect(() => widthOf({ from: 0, to: 1401 * 86_400_000 }, MOST_BUCKETS)).toThrow("narrow it");
  });
});

describe("buckets", () => {
  it("begin with the days of the time zone, also when a day has 23 or 25 hours", () => {
    expect(starts("Europe/Berlin", "1 d", "2026-03-28T10:00:00Z", "2026-03-31T00:00:00Z")).toEqual([
      "2026-03-27T23:00",
      "2026-03-28T23:00",
      "2026-03-29T22:00",
      "2026-03-30T22:00",
    ]);
    expect(starts("Europe/Berlin", "1 d", "2026-10-24T22:00:00Z", "2026-10-26T00:00:00Z")).toEqual([
      "2026-10-24T22:00",
      "2026-10-25T23:00",
    ]);
  });

  it("of some hours begin at multiples of local time, so that some are longer or shorter", () => {
    expect(starts("Europe/Berlin", "6 h", "2026-03-29T00:00:00Z", "2026-03-29T22:00:00Z")).toEqual([
      "2026-03-28T23:00",
      "2026-03-29T04:00",
      "2026-03-29T10:00",
      "2026-03-29T16:00",
    ]);
  });

  it("of an hour count a repeated hour twice when clocks are set back", () => {
    expect(starts("Europe/Berlin", "1 h", "2026-10-24T23:30:00Z", "2026-10-25T03:00:00Z")).toEqual([
      "2026-10-24T23:00",
      "2026-10-25T00:00",
      "2026-10-25T01:00",
      "2026-10-25T02:00",
    ]);
    expect(starts("Europe/Berlin", "1 h", "2026-03-29T00:00:00Z", "2026-03-29T03:00:00Z")).toEqual([
      "2026-03-29T00:00",
      "2026-03-29T01:00",
      "2026-03-29T02:00",
    ]);
  });

  it("begin with local hours in time zones whose offset is not a whole hour", () => {
    expect(starts("Asia/Kathmandu", "1 h", "2026-11-20T12:00:00Z", "2026-11-20T14:00:00Z")).toEqual([
      "2026-11-20T11:15",
      "2026-11-20T12:15",
      "2026-11-20T13:15",
    ]);
  });

  it("of weeks begin on Mondays", () => {
    expect(starts("UTC", "7 d", "2026-11-20T12:00:00Z", "2026-12-01T00:00:00Z")).toEqual([
      "2026-11-16T00:00",
      "2026-11-23T00:00",
      "2026-11-30T00:00",
    ]);
  });

  it("skip a day that a time zone left out", () => {
    expect(starts("Pacific/Apia", "1 d", "2011-12-29T12:00:00Z", "2012-01-01T00:00:00Z")).toEqual([
      "2011-12-29T10:00",
      "2011-12-30T10:00",
      "2011-12-31T10:00",
    ]);
  });

  it("cover the range in order, and begin at multiples of their width in local time", () => {
    const moment = fc.integer({ min: Date.parse("1975-01-01"), max: Date.parse("2035-01-01") });
    const length = fc.integer({ min: 1, max: 1400 * 86_400_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        moment,
        length,
        fc.integer({ min: 1, max: 200 }),
        (name, from, ms, buckets) => {
          const range = { from, to: from + ms };
          const width = widthOf(range, buckets);
          const zone = zoneNamed(name);
          const found = bucketStarts(range, width, zone);
          const lengths = found.slice(1).map((start, index) => start - (found[index] ?? 0));
          expect(found[0]).toBeLessThanOrEqual(from);
          expect(found.at(-1)).toBeLessThan(range.to);
          expect(Math.min(...lengths, 1)).toBeGreaterThan(0);
          // The first one is the bucket that the range begins in.
          expect(found[1] ?? Infinity).toBeGreaterThan(from);
          const longest = width.seconds <= 3600 ? width.seconds : width.seconds + 86_400;
          expect(Math.max(...lengths, 0)).toBeLessThanOrEqual(longest * 1000);
          expect(found.length).toBeLessThanOrEqual(Math.ceil(ms / width.seconds / 1000) + 26);
        },
      ),
      { numRuns: byLength({ short: 100, long: 1000 }) },
    );
  });
});

describe("a time zone", () => {
  it("converts instants to local time and back", () => {
    const moment = fc.integer({ min: Date.parse("1975-01-01"), max: Date.parse("2035-01-01") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (name, instant) => {
        const zone = zoneNamed(name);
        const wall = zone.wallTime(instant);
        const again = zone.instant(wall);
        // Of two instants at which clocks show the same it is the first.
        expect(zone.wallTime(again)).toBe(wall);
        expect(again).toBeLessThanOrEqual(instant);
      }),
    );
  });

  it("is found by its exact name only", () => {
    expect(Zone.named("Mars/Olympus")).toBeUndefined();
    expect(Zone.named("")).toBeUndefined();
    expect(Zone.named("UTC")?.wallTime(Date.parse("0001-01-01T00:00:00.123Z"))).toBe(
      Date.parse("0001-01-01T00:00:00.123Z"),
    );
  });
});
