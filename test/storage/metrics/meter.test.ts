import { describe, expect, it } from "vitest";
import { Meter } from "#storage/metrics/meter.ts";
import { hand } from "./hand.ts";

const MINUTE = 60_000;

describe("a meter", () => {
  it("is 0 before the first event", () => {
    const { ticks } = hand();
    const meter = new Meter(ticks);
    expect(meter.count).toBe(0);
    expect(meter.rates()).toEqual({ mean: 0, oneMinute: 0, fiveMinutes: 0, fifteenMinutes: 0 });
  });

  it("has a mean rate, but no moving averages in its first five seconds", () => {
    const { ticks, advance } = hand();
    const meter = new Meter(ticks);
    meter.mark(8);
    advance(4000);
    expect(meter.rates()).toEqual({ mean: 2, oneMinute: 0, fiveMinutes: 0, fifteenMinutes: 0 });
  });

  // Three events in the first step, nothing after: 3/5 per second, then e^(-t/average) of it.
  it.each([0, 1, 2, 5, 15])("lets the rate of one burst fade; after %i minutes", (minutes) => {
    const { ticks, advance } = hand();
    const meter = new Meter(ticks);
    meter.mark(3);
    advance(5000);
    advance(minutes * MINUTE);
    const rates = meter.rates();
    expect(rates.oneMinute).toBeCloseTo(0.6 * Math.exp(-minutes), 8);
    expect(rates.fiveMinutes).toBeCloseTo(0.6 * Math.exp(-minutes / 5), 8);
    expect(rates.fifteenMinutes).toBeCloseTo(0.6 * Math.exp(-minutes / 15), 8);
  });

  it("has the same rates no matter how often they are read", () => {
    const { ticks, advance } = hand();
    const watched = new Meter(ticks);
    const unwatched = new Meter(ticks);
    for (let second = 0; second < 100; second++) {
      advance(1000);
      if (second % 3 === 0) for (const meter of [watched, unwatched]) meter.mark(second);
      watched.rates();
    }
    expect(unwatched.rates()).toEqual(watched.rates());
    expect(unwatched.count).toBe(watched.count);
  });

  it("reaches a steady rate", () => {
    const { ticks, advance } = hand();
    const meter = new Meter(ticks);
    for (let second = 0; second < 900; second++) {
      meter.mark(7);
      advance(1000);
    }
    const { oneMinute, mean } = meter.rates();
    expect(oneMinute).toBeCloseTo(7, 8);
    expect(mean).toBe(7);
  });
});
