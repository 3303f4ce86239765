import { array, assert, double, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countTicks,
  edgesBetween,
  fittingLabels,
  linear,
  movedTo,
  niceTicks,
  shareText,
  spanAt,
  stackParts,
  sum,
  timeTicks,
} from "#app/explorer/pages/charts/axis.ts";
import { binsOf, quantile, spreadOf, total } from "#app/explorer/pages/charts/bins.ts";

/** A label of an axis. */
function label(text: string, place: number, rank: number): { text: string; place: number; rank: number } {
  return { text, place, rank };
}

describe("axes", () => {
  it("have round times of the day, and say where days begin", () => {
    const ticks = timeTicks(new Date("2026-11-19T12:10:00Z"), new Date("2026-11-20T12:10:00Z"), 8, "utc");
    expect(ticks.map(({ at, beginsDay }) => [at.toISOString().slice(5, 16), beginsDay])).toEqual([
      ["11-19T15:00", false],
      ["11-19T18:00", false],
      ["11-19T21:00", false],
      ["11-20T00:00", true],
      ["11-20T03:00", false],
      ["11-20T06:00", false],
      ["11-20T09:00", false],
      ["11-20T12:00", false],
    ]);
  });

  it("leave out labels that would touch another: first those that were moved inwards, days last", () => {
    const [moved, nextHour, hour, day, late] = [
      label("13:00", 54, 2),
      label("14:00", 90, 1),
      label("23:00", 600, 1),
      label("20 Nov", 640, 0),
      label("01:00", 700, 1),
    ];
    expect(fittingLabels([moved, nextHour, hour, day, late])).toEqual([nextHour, day, late]);
    // 5 letters of 7 px, and 8 px between: exactly enough, and one pixel too few.
    const first = label("13:00", 100, 1);
    expect(fittingLabels([first, label("14:00", 143, 1)])).toHaveLength(2);
    expect(fittingLabels([first, label("14:00", 142, 1)])).toEqual([first]);
    expect(fittingLabels([])).toEqual([]);
  });

  it("count in whole numbers up to at least the highest", () => {
    expect(countTicks(0)).toEqual([0, 1]);
    expect(countTicks(1)).toEqual([0, 1]);
    expect(countTicks(7)).toEqual([0, 2, 4, 6, 8]);
    assert(
      property(integer({ min: 0, max: 1e9 }), (most) => {
        const ticks = countTicks(most);
        expect(ticks.every(Number.isInteger)).toBe(true);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.length).toBeLessThan(9);
      }),
    );
  });

  it("enclose all numbers", () => {
    expect(niceTicks(0, 9.3)).toEqual([0, 5, 10]);
    expect(niceTicks(5, 5).at(-1)).toBeGreaterThanOrEqual(5);
    expect(linear(0, 10, 100, 200)(5)).toBe(150);
    expect(linear(3, 3, 100, 200)(3)).toBe(100);
  });
});

describe("the mark under the pointer", () => {
  it("is that of the span around it, and the nearest one outside", () => {
    const edges = [10, 20, 30, 40];
    expect([0, 10, 19, 20, 39, 40, 99].map((place) => spanAt(edges, place))).toEqual([0, 0, 0, 1, 2, 2, 2]);
  });

  it("of points is the nearest one", () => {
    expect(edgesBetween([10, 20, 40], 0, 50)).toEqual([0, 15, 30, 50]);
    expect(edgesBetween([10], 0, 50)).toEqual([0, 50]);
  });

  it("is reached by the keyboard too", () => {
    expect(movedTo("ArrowRight", undefined, 5)).toBe(0);
    expect(movedTo("ArrowLeft", undefined, 5)).toBe(4);
    expect(movedTo("ArrowRight", 4, 5)).toBe(4);
    expect(movedTo("PageDown", 3, 50)).toBe(0);
    expect(movedTo("End", 0, 5)).toBe(4);
    expect(movedTo("a", 0, 5)).toBeUndefined();
    expect(movedTo("Home", undefined, 0)).toBeUndefined();
  });
});

describe("parts of a stacked bar", () => {
  it("are in proportion, one on top of the other", () => {
    expect(stackParts([1, 0, 3], 4, 100)).toEqual([
      { from: 0, to: 25 },
      { from: 25, to: 25 },
      { from: 25, to: 100 },
    ]);
  });

  it("are visible even when they are few among many", () => {
    const [failed, , unchanged] = stackParts([3, 0, 9997], 10_000, 100);
    expect(failed).toEqual({ from: 0, to: 2 });
    expect(unchanged?.to).toBeCloseTo(100);
  });

  it("never exceed the height by more than the parts that have to be seen", () => {
    assert(
      property(array(integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 8 }), (counts) => {
        const parts = stackParts(counts, sum(counts), 100);
        expect(parts.at(-1)?.to).toBeLessThanOrEqual(100.001);
        for (const [index, { from, to }] of parts.entries()) {
          expect(to - from).toBeGreaterThanOrEqual((counts[index] ?? 0) > 0 ? 1.999 : 0);
        }
      }),
    );
  });
});

const counted = array(
  record({
    value: double({ min: -1e9, max: 1e9, noNaN: true, noDefaultInfinity: true }),
    count: integer({ min: 1, max: 50 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe("bins of numbers", () => {
  it("have round edges, and one whole number each where these are few", () => {
    expect(binsOf([4, 4, 5, 8].map((value) => ({ value, count: 1 })))).toEqual([
      { from: 4, to: 5, count: 2 },
      { from: 5, to: 6, count: 1 },
      { from: 6, to: 7, count: 0 },
      { from: 7, to: 8, count: 0 },
      { from: 8, to: 9, count: 1 },
    ]);
  });

  it("are one for a single value", () => {
    expect(binsOf([{ value: 7, count: 3 }])).toEqual([{ from: 7, to: 7, count: 3 }]);
    expect(binsOf([])).toEqual([]);
  });

  it("are one for numbers that are too close for others between them", () => {
    const values = [-Number.MIN_VALUE, Number.MIN_VALUE].map((value) => ({ value, count: 1 }));
    expect(binsOf(values)).toEqual([{ from: -Number.MIN_VALUE, to: Number.MIN_VALUE, count: 2 }]);
  });

  it("count every number once, within their edges", () => {
    assert(
      property(counted, (values) => {
        const bins = binsOf(values);
        expect(bins.reduce((all, { count }) => all + count, 0)).toBe(total(values));
        expect(bins.length).toBeLessThan(60);
        for (const { value } of values) {
          expect(bins.some(({ from, to }) => from <= value && value <= to)).toBe(true);
        }
      }),
    );
  });
});

describe("quantiles", () => {
  it("are those of the numbers written out", () => {
    assert(
      property(counted, double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const sorted = values.toSorted((a, b) => a.value - b.value);
        const written = sorted.flatMap(({ value, count }) => Array.from({ length: count }, () => value));
        const place = (written.length - 1) * share;
        const [below = 0, above = 0] = [written[Math.floor(place)], written[Math.ceil(place)]];
        expect(quantile(sorted, share)).toBeCloseTo(below + (above - below) * (place % 1), 3);
      }),
    );
  });

  it("put far values outside of the fences", () => {
    const spread = spreadOf([
      ...Array.from({ length: 20 }, (_, value) => ({ value, count: 1 })),
      { value: 500, count: 1 },
    ]);
    expect(spread?.median).toBe(10);
    expect(spread?.fences).toEqual([-25, 45]);
    expect(spreadOf([])).toBeUndefined();
  });
});

describe("shares", () => {
  it("never say 0 % of something or 100 % of not all", () => {
    expect([0, 1, 5, 500, 9_500, 9_999, 10_000].map((count) => shareText(count, 10_000))).toEqual([
      "0 %",
      "< 0.1 %",
      "< 0.1 %",
      "5.0 %",
      "95 %",
      "> 99.9 %",
      "100 %",
    ]);
    expect(shareText(0, 0)).toBe("");
  });
});
