/** Ids further apart than this are in no block of the engine's together, or hardly. */
const APART = 8192;

/** So many gaps are worth a statement: one costs as much as reading over some of them. */
const GAPS = 11;

/** From the first id of a run to its last there are no more than so many: all of them are looked through. */
const SPAN = 65_536;

/**
 * Cuts ids into runs that are read one by one: at gaps, the widest first, and where a run would be too long.
 * @param ids in their order
 */
export function runsOf(ids: readonly number[]): number[][] {
  const isGap = new Set(
    ids
      .map((id, index) => ({ index, width: id - (ids[index - 1] ?? id) }))
      .filter(({ width }) => width > APART)
      .toSorted((one, other) => other.width - one.width)
      .slice(0, GAPS)
      .map(({ index }) => index),
  );
  const runs: number[][] = [];
  for (const [index, id] of ids.entries()) {
    const run = runs.at(-1);
    if (run === undefined || isGap.has(index) || id - (run[0] as number) >= SPAN) runs.push([id]);
    else run.push(id);
  }
  return runs;
}
