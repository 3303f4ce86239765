import { editDistance } from "#storage/edit-distance.ts";

/** Maximum fraction of letters in which a misspelt name differs from the known one. */
const MISSPELT = 0.34;

/** The name among `names` that `given` was probably meant to be; undefined when none is near. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(given, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(MISSPELT * Math.min(name.length, given.length))))
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}
