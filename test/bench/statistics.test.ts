import { describe, expect, it } from "vitest";
import { percentile, statisticsOf } from "./statistics.ts";

const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);

describe("statistics", () => {
  it.each([
    [[5], { median: 5, p95: 5, min: 5, max: 5 }],
    [[3, 1, 2], { median: 2, p95: 3, min: 1, max: 3 }],
    [[10, 9, 1, 2], { median: 5.5, p95: 10, min: 1, max: 10 }],
    [oneToTwenty.toReversed(), { median: 10.5, p95: 19, min: 1, max: 20 }],
  ])("of %j", (samples, expected) => {
    expect(statisticsOf(samples)).toEqual(expected);
  });

  it.each([
    [0, 1],
    [0.25, 5],
    [0.5, 10],
    [0.99, 20],
    [1, 20],
  ])("the part %d of one to twenty is at most %d", (part, value) => {
    expect(percentile(oneToTwenty.toReversed(), part)).toBe(value);
  });

  it("are an error for no values", () => {
    expect(() => statisticsOf([])).toThrow("no samples");
    expect(() => percentile([], 0.5)).toThrow("no samples");
  });
});
