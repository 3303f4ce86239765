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
  if (samples.length === 0) throw new RangeError("no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    p95: at(Math.ceil(0.95 * sorted.length) - 1),
    min: at(0),
    max: at(sorted.length - 1),
  };
}
