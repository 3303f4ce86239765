import { describe, expect, it } from "vitest";
import { spanLabel, spanOf, timeRange } from "#app/explorer/pages/time/span.ts";

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
