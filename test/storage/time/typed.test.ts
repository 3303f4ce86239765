import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangeSpanMs, readTypedRange, readTypedTime, spanMs, spanWords, typedRange } from "#storage/time/typed.ts";
import { Zone } from "#storage/time/zone.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
/** An hour before UTC in winter, two in summer; clocks change on 2026-03-29 and 2026-10-25 at 01:00 UTC. */
const berlin = Zone.named("Europe/Berlin");

const iso = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString().replace(".000Z", "Z");

/** The range that a text is read as: a number of units, or from and to. */
function rangeOf(text: string, zone?: Zone): string | undefined {
  const read = readTypedRange(text, { now, zone });
  if (read === undefined) return undefined;
  return read.last ?? `${iso(read.from)} ${iso(read.to) ?? "now"}`;
}

describe("a span", () => {
  it("is a number of minutes, hours, days or weeks", () => {
    expect(["15m", "24h", "3d", "4w"].map(spanMs)).toStrictEqual([900_000, 86_400_000, 259_200_000, 2_419_200_000]);
    expect(["", "h", "24", "2y", "-1h", "1e3h", "1234567h"].map(spanMs)).toStrictEqual(Array(7).fill(undefined));
    expect(["1h", "2h", "1w"].map(spanWords)).toStrictEqual(["1 hour", "2 hours", "1 week"]);
  });

  it("of a range is longer than nothing and begins in a year of four digits", () => {
    expect(["0d", "9999d", "10000d", "1429w"].map((text) => rangeSpanMs(text) !== undefined)).toStrictEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("a time that somebody typed", () => {
  it.each([
    ["now", "2026-11-20T12:00:00Z"],
    ["90m", "2026-11-20T10:30:00Z"],
    [" 2h ", "2026-11-20T10:00:00Z"],
    ["2 d", "2026-11-18T12:00:00Z"],
    ["3 hours ago", "2026-11-20T09:00:00Z"],
    ["1 week ago", "2026-11-13T12:00:00Z"],
    ["today", "2026-11-20T00:00:00Z"],
    ["yesterday", "2026-11-19T00:00:00Z"],
    ["Yesterday 2:05", "2026-11-19T02:05:00Z"],
    ["yesterday at 02:00", "2026-11-19T02:00:00Z"],
    ["2026-11-18", "2026-11-18T00:00:00Z"],
    ["2026-11-18 12:30", "2026-11-18T12:30:00Z"],
    ["2026-11-18  24:00", "2026-11-19T00:00:00Z"],
    ["2026-11-18T12:30:15.5Z", "2026-11-18T12:30:15.500Z"],
    ["2026-11-18 12:30+02:00", "2026-11-18T10:30:00Z"],
    ["2026-11-18 12:30 -01:30", "2026-11-18T14:00:00Z"],
    ["2028-02-29", "2028-02-29T00:00:00Z"],
  ])("%j is read", (text, time) => {
    expect(iso(readTypedTime(text, { now }))).toBe(time);
  });

  it.each([
    ["2026-11-18 12:30", "2026-11-18T11:30:00Z"],
    ["2026-07-18 12:30", "2026-07-18T10:30:00Z"],
    ["2026-11-18 12:30Z", "2026-11-18T12:30:00Z"],
    ["yesterday", "2026-11-18T23:00:00Z"],
    // Clocks skip from 02:00 to 03:00, and show the hour before 03:00 twice.
    ["2026-03-29 02:30", "2026-03-29T01:30:00Z"],
    ["2026-10-25 02:30", "2026-10-25T00:30:00Z"],
  ])("%j is one of the zone", (text, time) => {
    expect(iso(readTypedTime(text, { now, zone: berlin }))).toBe(time);
  });

  it("of a day is of the day that it is in the zone", () => {
    // It is the 21st in Berlin.
    const late = { now: Date.parse("2026-11-20T23:30:00Z"), zone: berlin };
    expect(iso(readTypedTime("yesterday", late))).toBe("2026-11-19T23:00:00Z");
  });

  it.each([
    "",
    "soon",
    "2",
    "2y",
    "d",
    "18:00",
    "tomorrow",
    "2026-02-29",
    "2026-13-01",
    "2026-11-18 24:01",
    "2026-11-18 12:60",
    "2026-11-18 12:30 CET",
    "2026-11-18Z",
    "1e3d",
    "yesterday – today",
  ])("%j is none", (text) => {
    expect(readTypedTime(text, { now })).toBeUndefined();
  });
});

const written = (from: string, to?: string): string =>
  typedRange({ from: Date.parse(from), to: to === undefined ? undefined : Date.parse(to) });

describe("a range of time that somebody typed", () => {
  it.each([
    ["last 3 days", "3d"],
    ["Last 1 hour", "1h"],
    ["last hour", "1h"],
    ["past 2 weeks", "2w"],
    ["90 min", "90m"],
    ["24h", "24h"],
    ["today", "2026-11-20T00:00:00Z now"],
    ["yesterday", "2026-11-19T00:00:00Z 2026-11-20T00:00:00Z"],
    ["2026-11-18", "2026-11-18T00:00:00Z 2026-11-19T00:00:00Z"],
    ["yesterday 02:00–04:00", "2026-11-19T02:00:00Z 2026-11-19T04:00:00Z"],
    ["yesterday 22:00 – 4:00", "2026-11-19T22:00:00Z 2026-11-20T04:00:00Z"],
    ["yesterday 22:00 to today 04:00", "2026-11-19T22:00:00Z 2026-11-20T04:00:00Z"],
    ["02:00-04:00", "2026-11-20T02:00:00Z 2026-11-20T04:00:00Z"],
    ["2026-11-18 02:00-04:00", "2026-11-18T02:00:00Z 2026-11-18T04:00:00Z"],
    ["2026-11-18 – 2026-11-20", "2026-11-18T00:00:00Z 2026-11-21T00:00:00Z"],
    ["2026-11-18-2026-11-20", "2026-11-18T00:00:00Z 2026-11-21T00:00:00Z"],
    ["from 2026-11-18 until 2026-11-18 06:00", "2026-11-18T00:00:00Z 2026-11-18T06:00:00Z"],
    ["2026-11-18T02:00+02:00..2026-11-18T05:00-04:00", "2026-11-18T00:00:00Z 2026-11-18T09:00:00Z"],
    ["2 days ago – yesterday", "2026-11-18T12:00:00Z 2026-11-20T00:00:00Z"],
    ["7d – 2d", "2026-11-13T12:00:00Z 2026-11-18T12:00:00Z"],
    ["yesterday – now", "2026-11-19T00:00:00Z now"],
    ["yesterday – today", "2026-11-19T00:00:00Z now"],
    ["since 2026-11-18 12:00", "2026-11-18T12:00:00Z now"],
  ])("%j is read", (text, range) => {
    expect(rangeOf(text)).toBe(range);
  });

  it("has the days of the zone, which clocks make longer and shorter", () => {
    expect(rangeOf("2026-11-18", berlin)).toBe("2026-11-17T23:00:00Z 2026-11-18T23:00:00Z");
    expect(rangeOf("2026-10-25", berlin)).toBe("2026-10-24T22:00:00Z 2026-10-25T23:00:00Z");
    expect(rangeOf("2026-03-29", berlin)).toBe("2026-03-28T23:00:00Z 2026-03-29T22:00:00Z");
  });

  it.each([
    "",
    "soon",
    "12:00",
    "3 days ago",
    "2026-11-18 12:00",
    "last 0 days",
    "last 99999 days",
    "2026-11-20 – 2026-11-18",
    "now – yesterday",
    "since 2027-01-01",
    "2026-11-18 04:00 – 2026-11-18 04:00",
    "2026-11-18 02:00+02:00 – 05:00",
    "2026-11-31",
    "yesterday 02:00 –",
    "– 04:00",
    "last month",
  ])("%j is none", (text) => {
    expect(rangeOf(text)).toBeUndefined();
  });

  const minutes = fc.integer({ min: -30_000_000, max: 60_000_000 });
  const instants = fc.tuple(minutes, fc.constantFrom(0, 0, 1000, 59_999)).map(([at, ms]) => at * 60_000 + ms);
  const ranges = fc
    .tuple(instants, instants)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));
  // No clocks are changed there since 1946.
  const zones = fc.constantFrom(undefined, Zone.named("Asia/Kolkata"));

  it("is read as what it was written from, whatever the times and the case", () => {
    fc.assert(
      fc.property(ranges, zones, fc.boolean(), (range, zone, isUpper) => {
        const text = typedRange(range, zone);
        expect(readTypedRange(isUpper ? text.toUpperCase() : text, { now, zone })).toStrictEqual(range);
      }),
    );
  });

  it("is written as short as it can be", () => {
    expect(written("2026-11-18T02:00Z", "2026-11-18T04:00Z")).toBe("2026-11-18 02:00 – 04:00");
    expect(written("2026-11-18T02:00Z", "2026-11-19T01:00Z")).toBe("2026-11-18 02:00 – 2026-11-19 01:00");
    expect(written("2026-11-18T00:00Z", "2026-11-19T00:00Z")).toBe("2026-11-18");
    expect(written("2026-11-18T00:00Z", "2026-11-21T00:00Z")).toBe("2026-11-18 – 2026-11-20");
    expect(written("2026-11-18T02:00:05Z")).toBe("since 2026-11-18 02:00:05");
  });

  it("means the same with any dash or word between its ends, and any blanks", () => {
    const ends = ["yesterday", "yesterday 2:00", "2026-11-18", "2026-11-18T06:30", "04:00", "now", "today", "7d"];
    const marks = [" – ", "–", " - ", " to ", " until ", "..", " —  ", "  UNTIL "];
    fc.assert(
      fc.property(fc.constantFrom(...ends), fc.constantFrom(...ends), fc.constantFrom(...marks), (from, to, mark) => {
        expect(rangeOf(`${from}${mark}${to}`)).toBe(rangeOf(`${from} – ${to}`));
      }),
    );
  });

  it("ends after it begins, whatever is typed", () => {
    const words = [
      "last",
      "since",
      "yesterday",
      "today",
      "now",
      "–",
      "-",
      "to",
      "3",
      "d",
      "days",
      "2026-11-18",
      "9:00",
      "24:00",
      "Z",
      "+02:00",
    ];
    const texts = fc.array(fc.constantFrom(...words), { maxLength: 7 });
    fc.assert(
      fc.property(texts, fc.constantFrom("", " "), (parts, blank) => {
        const read = readTypedRange(parts.join(blank), { now, zone: berlin });
        if (read === undefined || read.last !== undefined) return;
        expect(read.from).toBeLessThan(read.to ?? now);
      }),
      { numRuns: 500 },
    );
  });
});
