/** A name is taken for another one misspelt when so many letters of ten differ, or fewer. */
const MISSPELT = 0.34;

/** The name among `names` that `given` was probably meant to be; undefined when none is near. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distance(given, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(MISSPELT * Math.min(name.length, given.length))))
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** How many letters have to be changed, added, left out or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
