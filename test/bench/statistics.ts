/** Repeated measurements of one thing, in the unit they were made in. */
export interface Statistics {
  readonly median: number;
  /** 95 of 100 were at most this, by nearest rank */
  readonly p95: number;
  readonly min: number;
  readonly max: number;
}

/** @throws RangeError when there are no samples */
export function statisticsOf(samples: readonly number[]): Statistics {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(sorted, Math.floor(middle)) + at(sorted, Math.ceil(middle))) / 2,
    p95: percentile(sorted, 0.95),
    min: at(sorted, 0),
    max: at(sorted, sorted.length - 1),
  };
}

/**
 * What so large a part of the samples was at most, by nearest rank.
 * @param part from 0, which is the least, to 1, which is the most
 * @throws RangeError when there are no samples
 */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return at(sorted, Math.max(0, Math.ceil(part * sorted.length) - 1));
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new RangeError("no samples");
  return value;
}
