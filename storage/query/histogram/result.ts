/** Rows counted by time. */
export interface Histogram {
  /** Of a bucket, in seconds; those in which clocks are changed may be longer or shorter. */
  readonly width: number;
  readonly unit: string;
  /** What is counted apart, in the order of the counts. */
  readonly series: readonly string[];
  /** When each bucket begins, and the count of each series. Empty buckets are among them. */
  readonly buckets: readonly (readonly [from: string, ...counts: number[]])[];
}
