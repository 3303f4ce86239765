import { describe, expect, it } from "vitest";
import { greatest, Latencies, Peaks } from "./latencies.ts";

describe("latencies", () => {
  it("are summarized over all, and by the interval in which they began", () => {
    const latencies = new Latencies(1000, 3);
    for (let ms = 1; ms <= 100; ms++) latencies.add(500, ms);
    latencies.add(2999, 5000);
    const { count, median, p99, slowest, byInterval } = latencies.summary();
    expect({ count, median, p99, slowest }).toEqual({ count: 101, median: 51, p99: 100, slowest: 5000 });
    expect(byInterval).toEqual([99, null, 5000]);
  });

  it("that began at the limit of an interval belong to the next, and late ones to the last", () => {
    const latencies = new Latencies(1000, 2);
    latencies.add(-0.4, 1);
    latencies.add(1000, 2);
    latencies.add(7000, 3);
    expect(latencies.summary().byInterval).toEqual([1, 3]);
  });

  it("have no summary without a request", () => {
    expect(() => new Latencies(1000, 2).summary()).toThrow(RangeError);
  });
});

describe("peaks", () => {
  it("are the greatest value of each interval; what is later is ignored", () => {
    const peaks = new Peaks(10, 3);
    for (const [at, value] of [
      [0, 3],
      [9, 7],
      [9.5, 5],
      [20, 0],
      [30, 99],
    ] as const) {
      peaks.add(at, value);
    }
    expect(peaks.byInterval).toEqual([7, null, 0]);
    expect(greatest(peaks.byInterval)).toBe(7);
  });

  it("of no values are 0", () => {
    expect(greatest([null, null])).toBe(0);
  });
});
