import { describe, expect, it } from "vitest";
import { exactNumber, type Json } from "#storage/json.ts";
import { parseLooseTime, parseWireTime } from "#storage/wire/time.ts";

/** reference/commands.md §3, date-times */

const at = 1_704_164_645_000_000n;

describe("strict times", () => {
  it.each([
    ["2024-01-02T03:04:05Z", at],
    ["2024-01-02T03:04:05.678Z", at + 678_000n],
    ["2024-01-02T03:04:05.6Z", at + 600_000n],
    ["2024-01-02T03:04:05.Z", at],
    ["2024-01-02T03:04:05.678901Z", at + 678_901n],
    ["2024-01-02T03:04:05.678901999Z", at + 678_901n],
    ["2024-01-02T04:04:05+01:00", at],
    ["2024-01-01T21:34:05.5-05:30", at + 500_000n],
    ["2024-01-02T03:04Z", at - 5_000_000n],
    ["2024-01-02t03:04:05z", at],
    ["2024-01-01T24:00:00Z", at - 11_045_000_000n],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000_000n],
    ["2023-12-31T23:59:59.999999Z", 1_704_067_199_999_999n],
    ["1969-12-31T23:59:59.999999Z", -1n],
  ])("%s", (text, expected) => {
    expect(parseWireTime(text)).toBe(expected);
  });

  it.each([
    "2024-01-02",
    "2024-01-02T03:04:05",
    "2024-01-02 03:04:05Z",
    "2024-01-02T03:04:05+0100",
    "2024-01-02T03:04:05.1234567890Z",
    "20240102T030405Z",
    "2024-02-30T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "2024-01-02T25:00:00Z",
    "2024-01-02T24:00:01Z",
    "2024-01-02T03:04:05+19:00",
    "2024-01-02T03:04:05,5Z",
    "02024-01-02T03:04:05Z",
    "2024-1-2T03:04:05Z",
    "2024-01-02T3:4:5Z",
    "1704164645678",
    "",
  ])("not %j", (text) => {
    expect(parseWireTime(text)).toBeUndefined();
  });
});

describe("loose times", () => {
  it.each<[Json, bigint | undefined]>([
    ["2024-01-02T03:04:05", at],
    ["2024-01-02", 1_704_153_600_000_000n],
    ["20240102", 1_704_153_600_000_000n],
    ["2024-01-02 03:04:05", at],
    [1_704_164_645_000, at],
    [20_240_102, 20_240_102_000n],
    [-1, -1000n],
    [exactNumber("1704164645000.0"), at],
    ["1704164645000", at],
    ["1704164645", undefined],
    ["junk", undefined],
    [exactNumber("1e30"), undefined],
    [null, undefined],
    [true, undefined],
  ])("%j", (value, expected) => {
    expect(parseLooseTime(value)).toBe(expected);
  });
});
