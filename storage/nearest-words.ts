import { editDistance } from "./edit-distance.ts";

/**
 * The words of a vocabulary (fields, settings, statuses) closest to `word`, nearest first: those that differ in at most a third of their letters, ignoring case and
 * hyphens. At most `limit` of them.
 */
export function nearestWords(word: string, names: readonly string[], limit = 3): string[] {
  const plain = word.toLowerCase().replaceAll("-", "_").slice(0, 40);
  return names
    .map((name) => ({ name, distance: editDistance(plain, name) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}
