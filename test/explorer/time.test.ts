import { describe, expect, it } from "vitest";
import { readTime } from "#app/explorer/pages/as-of/read-time.ts";
import { spanLabel, spanOf, timeRange } from "#app/explorer/pages/time/format.ts";

const end = new Date("2026-11-20T12:00:00Z");

describe("the time range of a page", () => {
  it("reads spans of minutes, hours and days", () => {
    expect([spanOf("15m"), spanOf("24h"), spanOf("14d")]).toStrictEqual([900_000, 86_400_000, 1_209_600_000]);
    expect(["", "h", "24", "24w", "99999h", "-1h", "1e3h"].map(spanOf)).toStrictEqual(Array(7).fill(undefined));
    expect([spanLabel("1h"), spanLabel("14d")]).toStrictEqual(["last 1 hour", "last 14 days"]);
  });

  it("ends at the present time of the data", () => {
    expect(timeRange({ last: "6h", from: "", to: "" }, end)).toStrictEqual({
      from: new Date("2026-11-20T06:00:00Z"),
      to: end,
      last: "6h",
      label: "last 6 hours",
    });
  });

  it("is the last 24 hours where the address is not valid", () => {
    for (const wrong of [
      { last: "soon", from: "", to: "" },
      { last: "", from: "yesterday", to: "" },
      { last: "", from: "2026-11-20T12:00:00Z", to: "2026-11-19T12:00:00Z" },
    ]) {
      expect(timeRange(wrong, end)).toMatchObject({ last: "24h", from: new Date("2026-11-19T12:00:00Z") });
    }
  });

  it("is the range that was selected in a chart", () => {
    const range = timeRange({ last: "6h", from: "2026-11-18T00:00:00Z", to: "2026-11-18T03:00:00Z" }, end);
    expect(range).toMatchObject({ from: new Date("2026-11-18T00:00:00Z"), to: new Date("2026-11-18T03:00:00Z") });
    expect(range.last).toBeUndefined();
  });
});

describe("a time that somebody typed", () => {
  const now = new Date("2026-11-20T12:00:00Z");

  it.each([
    ["90m", "2026-11-20T10:30:00.000Z"],
    [" 2h ", "2026-11-20T10:00:00.000Z"],
    ["2 d", "2026-11-18T12:00:00.000Z"],
    ["1w", "2026-11-13T12:00:00.000Z"],
    ["2026-11-18", "2026-11-18T00:00:00.000Z"],
    ["2026-11-18 12:30", "2026-11-18T12:30:00.000Z"],
    ["2026-11-18T12:30:15.5Z", "2026-11-18T12:30:15.500Z"],
    ["2026-11-18 12:30+02:00", "2026-11-18T10:30:00.000Z"],
  ])("%j is read", (text, time) => {
    expect(readTime(text, now, "utc")?.toISOString()).toBe(time);
  });

  it("without an offset is one of the zone in which times are shown", () => {
    const local = new Date(2026, 10, 18, 12, 30);
    expect(readTime("2026-11-18 12:30", now, "local")).toStrictEqual(local);
    expect(readTime("2026-11-18", now, "local")).toStrictEqual(new Date(2026, 10, 18));
  });

  it.each(["", "yesterday", "2", "2y", "d", "18:00", "2026-02-30", "2026-11-18 25:00", "2026-11-18 12:30 CET", "1e3d"])(
    "%j is none",
    (text) => {
      expect(readTime(text, now, "utc")).toBeUndefined();
    },
  );
});
