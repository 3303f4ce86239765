import { describe, expect, it } from "vitest";
import { Histogram } from "#storage/metrics/histogram.ts";
import { Reservoir } from "#storage/metrics/reservoir.ts";
import { Snapshot } from "#storage/metrics/snapshot.ts";
import { Timer } from "#storage/metrics/timer.ts";
import { hand } from "./hand.ts";

/** Chance that is the same every time: a linear congruential sequence. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

describe("a snapshot", () => {
  const even = new Snapshot([5, 1, 2, 3, 4].map((value) => ({ value, weight: 1 })));

  it.each([
    ["size", even.size, 5],
    ["min", even.min, 1],
    ["max", even.max, 5],
    ["mean", even.mean, 3],
    ["median", even.quantile(0.5), 3],
    ["75th percentile", even.quantile(0.75), 4],
    ["99th percentile", even.quantile(0.99), 5],
    ["standard deviation", even.standardDeviation, Math.SQRT2],
  ])("of equal weights: %s", (_, actual, expected) => expect(actual).toBeCloseTo(expected, 10));

  it("counts heavier values for more", () => {
    const uneven = new Snapshot([
      { value: 1, weight: 1 },
      { value: 2, weight: 8 },
      { value: 9, weight: 1 },
    ]);
    expect(uneven.mean).toBeCloseTo(2.6, 10);
    expect([0.05, 0.5, 0.85, 0.95].map((part) => uneven.quantile(part))).toEqual([1, 2, 2, 9]);
  });

  it("of no values is 0 throughout", () => {
    const { size, min, max, mean, standardDeviation } = new Snapshot([]);
    expect([size, min, max, mean, standardDeviation, new Snapshot([]).quantile(0.5)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("a reservoir", () => {
  it("keeps every value up to its size", () => {
    const reservoir = new Reservoir(hand().ticks, sequence());
    for (let value = 0; value < 100; value++) reservoir.update(value);
    const snapshot = reservoir.snapshot();
    expect([snapshot.size, snapshot.min, snapshot.max]).toEqual([100, 0, 99]);
    expect(snapshot.mean).toBeCloseTo(49.5, 10);
  });

  it("keeps 1,028 of many values, which represent all", () => {
    const reservoir = new Reservoir(hand().ticks, sequence());
    for (let value = 0; value < 20_000; value++) reservoir.update(value % 1000);
    const snapshot = reservoir.snapshot();
    expect(snapshot.size).toBe(1028);
    expect(Math.abs(snapshot.quantile(0.5) - 500)).toBeLessThan(60);
    expect(Math.abs(snapshot.mean - 500)).toBeLessThan(30);
  });

  it("replaces old values by new ones", () => {
    const { ticks, advance } = hand();
    const reservoir = new Reservoir(ticks, sequence());
    for (let n = 0; n < 1028; n++) reservoir.update(1000);
    advance(10 * 60_000);
    for (let n = 0; n < 100; n++) reservoir.update(1);
    // e^(0.015·600) = 8103: a hundred new ones outweigh the thousand old ones.
    expect(reservoir.snapshot().quantile(0.9)).toBe(1);
  });

  it.each([2, 24, 24 * 365])("continues to work after %i hours without values", (hours) => {
    const { ticks, advance } = hand();
    const reservoir = new Reservoir(ticks, sequence());
    for (let n = 0; n < 2000; n++) reservoir.update(1000);
    advance(hours * 3_600_000);
    for (let n = 0; n < 10; n++) reservoir.update(n);
    const snapshot = reservoir.snapshot();
    expect(snapshot.quantile(0.99)).toBe(9);
    expect(snapshot.mean).toBeCloseTo(4.5, 6);
    advance(hours * 3_600_000);
    reservoir.update(3);
    expect(reservoir.snapshot().mean).toBeCloseTo(3, 6);
  });
});

describe("a histogram", () => {
  it("counts and sums its values", () => {
    const histogram = new Histogram(hand().ticks);
    for (const value of [1, 2, 6]) histogram.update(value);
    expect([histogram.count, histogram.sum, histogram.snapshot().max]).toEqual([3, 9, 6]);
    histogram.update(7);
    expect(histogram.snapshot().max).toBe(7);
  });
});

describe("a timer", () => {
  it("measures successful and failed functions", async () => {
    const { ticks, advance } = hand();
    const timer = new Timer(ticks);
    const result = timer.time(async () => {
      advance(40);
      return "done";
    });
    await expect(result).resolves.toBe("done");
    const failure = timer.time(async () => {
      advance(60);
      throw new Error("no");
    });
    await expect(failure).rejects.toThrow("no");
    const { min, max } = timer.snapshot();
    expect([timer.count, timer.sum, min, max]).toEqual([2, 100, 40, 60]);
    expect(timer.rates().mean).toBe(20);
  });
});
