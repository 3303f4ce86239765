/** Upper limits of durations in milliseconds: the default buckets of Prometheus' client libraries. */
export const bucketLimits = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/** Counts durations by the buckets that they belong to, since the start. */
export class Buckets {
  readonly #counts: number[] = bucketLimits.map(() => 0);

  add(ms: number): void {
    const index = bucketLimits.findIndex((limit) => ms <= limit);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** For each limit, the number of durations up to it. */
  cumulative(): number[] {
    let sum = 0;
    return this.#counts.map((count) => (sum += count));
  }
}
