/** Ids with a larger difference are rarely in the same block of the engine. */
const MAX_DISTANCE = 8192;

/** Maximum gaps to divide at: a further statement costs as much as reading over a gap. */
const MAX_GAPS = 11;

/** Maximum difference between the first and the last id of a run: all ids between them are read. */
const MAX_SPAN = 65_536;

/**
 * Divides ids into runs that are read separately: at gaps, the widest first, and where a run would be too long.
 * @param ids in ascending order
 */
export function runsOf(ids: readonly number[]): number[][] {
  const isGap = new Set(
    ids
      .map((id, index) => ({ index, width: id - (ids[index - 1] ?? id) }))
      .filter(({ width }) => width > MAX_DISTANCE)
      .toSorted((one, other) => other.width - one.width)
      .slice(0, MAX_GAPS)
      .map(({ index }) => index),
  );
  const runs: number[][] = [];
  for (const [index, id] of ids.entries()) {
    const run = runs.at(-1);
    if (run === undefined || isGap.has(index) || id - (run[0] as number) >= MAX_SPAN) runs.push([id]);
    else run.push(id);
  }
  return runs;
}
