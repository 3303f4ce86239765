import { describe, expect, it } from "vitest";
import {
  fixedClock,
  formatTimestamp,
  parseAnyTimestamp,
  parseTimestamp,
  systemClock,
  timestampOfMillis,
} from "#storage/time.ts";

/** The point in time every spelling below means, printed. */
const spellings: readonly (readonly [text: string, meaning: string])[] = [
  // what the newest peer takes
  ["2026-11-20T10:00:36.123Z", "2026-11-20T10:00:36.123Z"],
  ["2026-11-20T10:00:36.123", "2026-11-20T10:00:36.123Z"],
  ["2026-11-20T10:00Z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T13:40:00.000+02:00", "2026-11-20T11:40:00.000Z"],
  ["2026-11-20T10:00:00-05:30", "2026-11-20T15:30:00.000Z"],
  ["2026-11-20T10:00:00+01:00[Europe/Paris]", "2026-11-20T09:00:00.000Z"],
  ["2026-11-20t10:00:00z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T24:00:00Z", "2026-11-21T00:00:00.000Z"],
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20Z", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20+02:00", "2026-11-20T00:00:00.000Z"],
  ["20261120", "2026-11-20T00:00:00.000Z"],
  ["1795168836123", "2026-11-20T10:00:36.123Z"],
  ["2026", "1970-01-01T00:00:02.026Z"],
  ["0", "1970-01-01T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  // what its predecessors take as well
  ["2026-11-20 10:00:36", "2026-11-20T10:00:36.000Z"],
  ["2026-11-20T10:00:36+0100", "2026-11-20T09:00:36.000Z"],
  ["2026-11-20T10:00:36,123Z", "2026-11-20T10:00:36.123Z"],
  ["2026-11-20T10", "2026-11-20T10:00:00.000Z"],
  ["20261120T100036Z", "2026-11-20T10:00:36.000Z"],
  ["20261120T100036.123Z", "2026-11-20T10:00:36.123Z"],
  ["20261120T100036+0100", "2026-11-20T09:00:36.000Z"],
  ["2026-11", "2026-11-01T00:00:00.000Z"],
  ["2026-324", "2026-11-20T00:00:00.000Z"],
  ["2026-324T10:00:36.123Z", "2026-11-20T10:00:36.123Z"],
  ["2026324T100036Z", "2026-11-20T10:00:36.000Z"],
  ["2026-W47-5", "2026-11-20T00:00:00.000Z"],
  ["2026-W47", "2026-11-16T00:00:00.000Z"],
  ["2026-W47-5T10:00:36Z", "2026-11-20T10:00:36.000Z"],
  ["2026W475T100036Z", "2026-11-20T10:00:36.000Z"],
  ["2004-W53-6", "2005-01-01T00:00:00.000Z"],
  ["Fri, 20 Nov 2026 10:00:36 +0000", "2026-11-20T10:00:36.000Z"],
  ["Fri, 20 Nov 2026 10:00:36 GMT", "2026-11-20T10:00:36.000Z"],
  // far away
  ["-0001-03-01T00:00Z", "-000001-03-01T00:00:00.000Z"],
  ["0099-12-31", "0099-12-31T00:00:00.000Z"],
  ["+294247-01-10T04:00:54.775Z", "+294247-01-10T04:00:54.775Z"],
];

const strangers = [
  "",
  "x",
  "foo",
  " 2026-11-20",
  "2026-11-20 ",
  "2026-11-31",
  "2026-02-29",
  "2026-13-01",
  "20261301",
  "2026-000",
  "2026-366",
  "2026-W54-1",
  "2027-W53-1",
  "2026-11-20T24:00:01",
  "2026-11-20T10:60",
  "2026-11-20T10:00:60",
  "2026-11-20T10:00:00+19:00",
  "2026-11-20T10:00:00[UTC]",
  "Thu, 20 Nov 2026 10:00:36 GMT",
  "-5",
  "1e3",
  "12.5",
  "9999999999999999999",
  "+999999-01-01T00:00Z",
];

describe("parseAnyTimestamp", () => {
  it.each(spellings)("reads %j as %s", (text, meaning) => {
    const t = parseAnyTimestamp(text);
    expect(t).toBeTypeOf("bigint");
    expect(formatTimestamp(t ?? 0n)).toBe(meaning);
  });

  it.each(strangers)("does not take %j", (text) => {
    expect(parseAnyTimestamp(text)).toBeUndefined();
  });

  it("keeps microseconds and drops what is smaller", () => {
    expect(parseAnyTimestamp("1970-01-01T00:00:01.123456Z")).toBe(1_123_456n);
    expect(parseAnyTimestamp("1970-01-01T00:00:01.123456999Z")).toBe(1_123_456n);
    expect(parseAnyTimestamp("1970-01-01T00:00:01.1Z")).toBe(1_100_000n);
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
  it("stands still or follows the machine", () => {
    expect(fixedClock(5n).now()).toBe(5n);
    const before = timestampOfMillis(Date.now());
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });

  it("counts milliseconds in microseconds", () => {
    expect(timestampOfMillis(1795168836123)).toBe(1_795_168_836_123_000n);
    expect(timestampOfMillis(-1)).toBe(-1_000n);
  });
});

describe("parseTimestamp", () => {
  // Recorded answers of OpenVoxDB 9: 400 for what its predecessors took.
  it.each([
    "2026-11-20 10:00:36.123",
    "2026-324",
    "2026-W47-5",
    "Fri, 20 Nov 2026 10:00:36 GMT",
    "2026-11",
    " 2026-11-20",
  ])("refuses %j, as the newest peer does", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it.each(["2026-11-20", "20261120", "2026-11-20T10:00Z", "2026-11-20T10:00:36.123456+01:00", "1795000000000"])(
    "reads %j like any other time",
    (text) => {
      expect(parseTimestamp(text)).toBe(parseAnyTimestamp(text));
    },
  );
});
