import { describe, expect, it } from "vitest";
import { changeSince, type Reading, recorded } from "#app/explorer/pages/wall/readings.ts";
import { medianGap } from "#app/explorer/pages/overview/gaps.ts";

const minute = 60_000;
const at = (minutes: number, failed: number): Reading => ({
  time: minutes * minute,
  counts: new Map([["failed", failed]]),
});

describe("the wall", () => {
  it("compares with an hour ago, or with when it was opened", () => {
    let readings: readonly Reading[] = [];
    for (const [time, failed] of [
      [0, 5],
      [20, 9],
      [50, 7],
    ] as const)
      readings = recorded(readings, at(time, failed));
    expect(changeSince(readings, "failed")).toBe(2);
    readings = recorded(readings, at(85, 8));
    expect(changeSince(readings, "failed")).toBe(-1);
    expect(readings).toHaveLength(3);
    expect(changeSince(readings, "silent")).toBe(0);
  });
});

describe("the interval of a node's runs", () => {
  it("is the median of the gaps, in any order of times", () => {
    expect(medianGap([90 * minute, 0, 30 * minute, 61 * minute])).toBe(30 * minute);
    expect(medianGap([5])).toBeUndefined();
  });
});
