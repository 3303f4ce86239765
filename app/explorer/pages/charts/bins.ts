import { tickIncrement } from "d3-array";

/** A number and how often it occurs. */
export interface Counted {
  readonly value: number;
  readonly count: number;
}

/** Numbers of `from` ≤ n < `to`; of the last bin n ≤ `to`. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Bins with round edges over all values, about `wanted`; whole numbers get bins of at least 1. Values need no order. */
export function binsOf(values: readonly Counted[], wanted = 24): Bin[] {
  if (values.length === 0) return [];
  const lowest = Math.min(...values.map(({ value }) => value));
  const highest = Math.max(...values.map(({ value }) => value));
  const whole = values.every(({ value }) => Number.isInteger(value));
  const edges = roundEdges(lowest, highest, whole ? Math.min(wanted, highest - lowest + 1) : wanted);
  const counts = edges.slice(1).map(() => 0);
  for (const { value, count } of values) {
    const index = Math.min(
      counts.length - 1,
      Math.max(
        0,
        edges.findLastIndex((edge) => edge <= value),
      ),
    );
    counts[index] = (counts[index] ?? 0) + count;
  }
  return counts.map((count, index) => ({ from: edges[index] ?? lowest, to: edges[index + 1] ?? highest, count }));
}

/** Round numbers around a span; its ends where no numbers are between them that a double can have. */
function roundEdges(lowest: number, highest: number, wanted: number): number[] {
  // Negative for steps below 1, which are divided by, so that no tenth is a little more or less than it should be.
  const step = lowest === highest ? 0 : tickIncrement(lowest, highest, wanted);
  const scaled = (value: number): number => Math.floor(step < 0 ? value * -step : value / step);
  const length = step === 0 ? 0 : scaled(highest) - scaled(lowest) + 2;
  // The step of the smallest numbers that there are is no number.
  if (!Number.isFinite(length)) return [lowest, highest];
  const edges = Array.from({ length }, (_, index) =>
    step < 0 ? (scaled(lowest) + index) / -step : (scaled(lowest) + index) * step,
  );
  const isUsable =
    edges.length > 1 &&
    edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge)) &&
    (edges[0] ?? NaN) <= lowest &&
    (edges.at(-1) ?? NaN) >= highest;
  return isUsable ? edges : [lowest, highest];
}

/** How many numbers there are. */
export function total(values: readonly Counted[]): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

/**
 * The number below which a share of all are, between two neighbours in proportion (R-7, as spreadsheets have it).
 * @param sorted by value; at least one
 * @param share from 0 to 1
 */
export function quantile(sorted: readonly Counted[], share: number): number {
  const place = (total(sorted) - 1) * share;
  const below = valueAt(sorted, Math.floor(place));
  return below + (valueAt(sorted, Math.ceil(place)) - below) * (place - Math.floor(place));
}

function valueAt(sorted: readonly Counted[], index: number): number {
  let before = 0;
  for (const { value, count } of sorted) {
    before += count;
    if (index < before) return value;
  }
  return sorted.at(-1)?.value ?? NaN;
}

/** The middle of numbers and what most of them are between. */
export interface Spread {
  readonly median: number;
  /** 5 % are below. */
  readonly low: number;
  /** 5 % are above. */
  readonly high: number;
  /** Numbers outside of these are far from the rest: 3 interquartile ranges beyond the quartiles. */
  readonly fences: readonly [number, number];
}

/** The spread of numbers, or undefined when there is none. */
export function spreadOf(values: readonly Counted[]): Spread | undefined {
  if (total(values) === 0) return undefined;
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const [first, third] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const range = third - first;
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.05),
    high: quantile(sorted, 0.95),
    fences: [first - 3 * range, third + 3 * range],
  };
}
