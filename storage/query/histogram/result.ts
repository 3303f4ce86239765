/** Rows counted by time. */
export interface Histogram {
  /** The width of a bucket in seconds; buckets in which clocks are changed may be longer or shorter. */
  readonly width: number;
  readonly unit: string;
  /** The names of the series, in the order of the counts. */
  readonly series: readonly string[];
  /** The start of each bucket, and the count of each series; includes empty buckets. */
  readonly buckets: readonly (readonly [from: string, ...counts: number[]])[];
}
