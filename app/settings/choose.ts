import { type Given, sourceOf, subjectOf } from "./sources/given.ts";
import { meaningOf } from "./names.ts";
import { keyOf } from "./values.ts";

/** A setting of PuppetDB that was found and ignored. Its value is not kept, because it may be a password. */
export interface IgnoredSetting {
  readonly section: string;
  readonly name: string;
  /** e.g. `/etc/census/database.ini:3` */
  readonly from: string;
  readonly reason: string;
}

/** The chosen values. */
export interface Choice {
  /** By `keyOf`. */
  readonly chosen: Map<string, Given>;
  readonly ignored: IgnoredSetting[];
}

/**
 * Chooses between values that were given for the same setting: the last one counts, but two in files are an error, as
 * with PuppetDB, which reads its files as one (`reference/config.md §1`).
 * @param all in the order of their sources, files first
 * @param problems a line is added for each section or name that is unknown, and for each name given twice
 */
export function choose(all: readonly Given[], problems: string[]): Choice {
  const chosen = new Map<string, Given>();
  const ignored: IgnoredSetting[] = [];
  const unknownSections = new Set<string>();
  for (const given of all) {
    const meaning = meaningOf(given.section, given.name);
    if (meaning.kind === "unknown section") {
      // One line, however many settings are in it.
      if (!unknownSections.has(given.section)) problems.push(`${subjectOf(given)}: ${meaning.problem}`);
      unknownSections.add(given.section);
    } else if (meaning.kind === "unknown") {
      problems.push(`${subjectOf(given)}: ${meaning.problem}`);
    } else if (meaning.kind === "ignored") {
      const { section, name, place } = given;
      ignored.push({ section, name, from: sourceOf(place), reason: meaning.reason });
    } else {
      const key = keyOf(meaning.declared);
      const earlier = chosen.get(key);
      if (earlier?.place.kind === "file" && given.place.kind === "file") {
        const alias = earlier.name === given.name ? "" : ` as ${earlier.name}`;
        problems.push(`${subjectOf(given)}: already set at ${sourceOf(earlier.place)}${alias}; remove one of them`);
      } else {
        chosen.set(key, given);
      }
    }
  }
  return { chosen, ignored };
}
