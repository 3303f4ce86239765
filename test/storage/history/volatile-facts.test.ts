import { describe, expect, it } from "vitest";
import { VolatilePaths } from "#storage/history/volatile-facts.ts";

describe("a fact or a part of one", () => {
  const paths = new VolatilePaths(["site.load"]);

  it.each([
    [["uptime"]],
    [["uptime", "below"]],
    [["processors"]],
    [["processors", "speed"]],
    [["memory", "system"]],
    [["memory", "system", "used", "below"]],
    [["site"]],
    [["site", "load"]],
  ])("can change with a run that changes volatile facts only: %j", (path) => {
    expect(paths.touches(path)).toBe(true);
  });

  it.each([[["kernel"]], [["processors", "count"]], [["memory", "system", "total"]], [["site", "rack"]], [["speed"]]])(
    "cannot: %j",
    (path) => {
      expect(paths.touches(path)).toBe(false);
    },
  );

  it("can if a declared path begins with any name", () => {
    const any = new VolatilePaths(["*.load"]);
    expect([["disk"], ["disk", "load"], ["disk", "size"]].map((path) => any.touches(path))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
