import { describe, expect, it } from "vitest";
import { spanLabel, timeRange } from "#app/explorer/pages/time/format.ts";

const end = new Date("2026-11-20T12:00:00Z");

describe("the time range of a page", () => {
  it("is named in words", () => {
    expect(["1h", "14d", "4w", "90m"].map(spanLabel)).toStrictEqual([
      "last 1 hour",
      "last 14 days",
      "last 4 weeks",
      "last 90 minutes",
    ]);
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
      { last: "0d", from: "", to: "" },
      { last: "10000d", from: "", to: "" },
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
