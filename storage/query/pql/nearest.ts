/**
 * The names that `word` may have been meant to be, nearest first: those at most a third of their letters away, letter
 * case and hyphens apart. At most `limit` of them.
 */
export function nearestNames(word: string, names: readonly string[], limit = 3): string[] {
  const plain = word.toLowerCase().replaceAll("-", "_").slice(0, 40);
  return names
    .map((name) => ({ name, distance: editDistance(plain, name) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** How many letters have to be put in, left out or replaced to make one word of the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
