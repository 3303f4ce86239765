/** One part of a bar: distances from the baseline, px. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Parts of one stacked bar, from the baseline up. A part that counts anything is at least `least` px high, so that three
 * failures among a thousand runs are seen; the others give way when the bar would get too high.
 */
export function stackParts(counts: readonly number[], most: number, height: number, least = 2): Part[] {
  const scale = most === 0 ? 0 : height / most;
  const heights = counts.map((count) => (count <= 0 ? 0 : Math.max(least, count * scale)));
  const excess = Math.max(0, sum(heights) - height);
  const spare = sum(heights.map((one) => Math.max(0, one - least)));
  const factor = spare === 0 ? 1 : Math.max(0, 1 - excess / spare);
  let from = 0;
  return heights.map((one) => {
    const to = from + (one <= least ? one : least + (one - least) * factor);
    const part = { from, to };
    from = to;
    return part;
  });
}

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
