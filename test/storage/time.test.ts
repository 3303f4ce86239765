import { describe, expect, it } from "vitest";
import {
  fixedClock,
  formatTimestamp,
  parseMoment,
  parseTimestamp,
  systemClock,
  timestampOfMillis,
} from "#storage/time.ts";
import { ACCEPTED } from "./time/accepted.ts";
import { REFUSED } from "./time/refused.ts";

/** Years beyond four digits and what is smaller than a millisecond, which the table of spellings leaves out. */
const farAway: readonly (readonly [text: string, meaning: string])[] = [
  ["-0001-03-01T00:00Z", "-000001-03-01T00:00:00.000Z"],
  ["0099-12-31", "0099-12-31T00:00:00.000Z"],
  ["+294247-01-10T04:00:54.775Z", "+294247-01-10T04:00:54.775Z"],
];

describe("parseTimestamp", () => {
  it.each([...ACCEPTED, ...farAway])("reads %j as %s", (text, meaning) => {
    const t = parseTimestamp(text);
    expect(t).toBeTypeOf("bigint");
    expect(formatTimestamp(t ?? 0n)).toBe(meaning);
  });

  it.each(REFUSED)("refuses %j", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it("keeps microseconds and drops what is smaller", () => {
    expect(parseTimestamp("1970-01-01T00:00:01.123456Z")).toBe(1_123_456n);
    expect(parseTimestamp("1970-01-01T00:00:01.123456999Z")).toBe(1_123_456n);
    expect(parseTimestamp("1970-01-01T00:00:01.1Z")).toBe(1_100_000n);
  });

  it("reads 13 digits as milliseconds, but not the seconds of today", () => {
    expect(parseTimestamp("1795370000000")).toBe(1_795_370_000_000_000n);
    expect(parseTimestamp("1795370000")).toBeUndefined();
  });

  it("reads a year as one, not as milliseconds", () => {
    expect(parseTimestamp("2027")).toBe(parseTimestamp("2027-01-01T00:00:00Z"));
  });
});

describe("parseMoment", () => {
  it.each(["2026-11-20", "2026-11-20 12:00:00", "2026", "Fri, 20 Nov 2026 10:00:36 +0000"])("reads %j", (text) => {
    expect(parseMoment(text)).toBe(parseTimestamp(text));
  });

  it.each(["18:05", "20", "-5", "T18", "1795370000"])("refuses %j", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});

describe("formatTimestamp", () => {
  it.each([
    [0n, "1970-01-01T00:00:00.000Z"],
    [999n, "1970-01-01T00:00:00.000Z"],
    [1_999n, "1970-01-01T00:00:00.001Z"],
    [-1n, "1969-12-31T23:59:59.999Z"],
    [-1_001n, "1969-12-31T23:59:59.998Z"],
    [253_402_300_799_999_999n, "9999-12-31T23:59:59.999Z"],
    [253_402_300_800_000_000n, "+010000-01-01T00:00:00.000Z"],
  ])("cuts %d microseconds off to %s", (t, text) => {
    expect(formatTimestamp(t)).toBe(text);
  });
});

describe("clocks", () => {
  it("show a fixed time or that of the machine", () => {
    expect(fixedClock(5n).now()).toBe(5n);
    const before = timestampOfMillis(Date.now());
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });

  it("counts milliseconds in microseconds", () => {
    expect(timestampOfMillis(1795168836123)).toBe(1_795_168_836_123_000n);
    expect(timestampOfMillis(-1)).toBe(-1_000n);
  });
});
