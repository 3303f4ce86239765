import { editDistance } from "../../edit-distance.ts";

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
