import { editDistance } from "#storage/edit-distance.ts";

/**
 * The known names that `given` may have been meant to be, nearest first: those that are spelled alike, then those that
 * contain it. Case is ignored. A name without a domain is compared with names without theirs.
 * @param limit at most this many
 */
export function nearestNames(given: string, names: readonly string[], limit = 3): string[] {
  const wanted = given.toLowerCase();
  const rated = names.flatMap((name) => {
    const distance = Math.min(...spellings(name.toLowerCase(), wanted).map((spelling) => distanceOf(wanted, spelling)));
    return Number.isFinite(distance) ? [{ name, distance }] : [];
  });
  // A name that differs in upper and lower case only is meant; others that are alike are not.
  const same = rated.filter(({ distance }) => distance === 0);
  return (same.length > 0 ? same : rated)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** A name, and the parts of it that people type for it. */
function spellings(name: string, wanted: string): string[] {
  const host = wanted.includes(".") ? undefined : name.split(".")[0];
  const last = wanted.includes("::") ? undefined : name.split("::").at(-1);
  return [name, ...(host === undefined ? [] : [host]), ...(last === undefined ? [] : [last])];
}

/** The distance of two spellings; infinite when they are not alike. */
function distanceOf(wanted: string, spelling: string): number {
  const most = Math.max(1, Math.floor(0.34 * Math.min(wanted.length, spelling.length)));
  if (Math.abs(wanted.length - spelling.length) <= most) {
    const distance = editDistance(wanted, spelling);
    if (distance <= most) return distance;
  }
  // Behind all that are spelled alike, the shortest first.
  return wanted.length > 1 && spelling.includes(wanted) ? 100 + spelling.length : Infinity;
}
