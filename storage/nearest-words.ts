import { editDistance } from "./edit-distance.ts";

/**
 * The words of a vocabulary (commands, fields, settings, statuses) closest to `word`, nearest first: those that differ
 * in at most a third of their letters, ignoring case and hyphens; of equally near ones, those of its length first. At
 * most `limit` of them.
 */
export function nearestWords(word: string, names: readonly string[], limit = 3): string[] {
  const given = plain(word).slice(0, 40);
  const unlike = (name: string): number => Math.abs(name.length - given.length);
  return names
    .map((name) => ({ name, distance: editDistance(given, plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.ceil(Math.min(name.length, given.length) / 3))
    .sort((a, b) => a.distance - b.distance || unlike(a.name) - unlike(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}
