import { nearestWords } from "#storage/nearest-words.ts";
import { ignoredSections } from "./sections/elsewhere.ts";
import type { Section } from "./setting.ts";
import { type Declared, declared, sections } from "./table.ts";

/** The meaning of a section and a name. */
export type Meaning =
  | { readonly kind: "setting"; readonly declared: Declared }
  /** PuppetDB's, without effect here. */
  | { readonly kind: "ignored"; readonly reason: string }
  | { readonly kind: "unknown"; readonly problem: string }
  | { readonly kind: "unknown section"; readonly problem: string };

const all: Readonly<Record<string, Section>> = sections;

/** Finds a setting by any of its names. */
export function meaningOf(section: string, name: string): Meaning {
  const reason = Object.hasOwn(ignoredSections, section) ? ignoredSections[section] : undefined;
  if (reason !== undefined) return { kind: "ignored", reason };
  const canonical = sectionNamed(section);
  if (canonical === undefined) return { kind: "unknown section", problem: unknownSection(section) };
  const found = declared.find(
    (one) => one.section === canonical && (one.name === name || one.setting.aliases.includes(name)),
  );
  if (found !== undefined) return { kind: "setting", declared: found };
  const ignored = Object.entries(all[canonical]?.ignored ?? {}).find(([pattern]) => fits(name, pattern));
  if (ignored !== undefined) return { kind: "ignored", reason: ignored[1] };
  return { kind: "unknown", problem: all[canonical]?.removed?.[name] ?? unknownName(canonical, name) };
}

function sectionNamed(name: string): string | undefined {
  return Object.keys(all).find((section) => section === name || all[section]?.aliases?.includes(name) === true);
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function unknownSection(section: string): string {
  if (section.startsWith("database-")) return "Census has one database; set it up in [database]";
  const [near] = nearestWords(section, [...Object.keys(all), ...Object.keys(ignoredSections)]);
  return near === undefined
    ? `unknown section; use one of ${Object.keys(all).join(", ")}`
    : `unknown section; did you mean [${near}]?`;
}

function unknownName(section: string, name: string): string {
  const elsewhere = declared.find((one) => one.name === name);
  if (elsewhere !== undefined) return `unknown setting; it belongs to [${elsewhere.section}]`;
  const { settings = {}, ignored = {} } = all[section] ?? {};
  const [near] = nearestWords(name, [...Object.keys(settings), ...Object.keys(ignored)]);
  return near === undefined
    ? `unknown setting; docs/settings.md lists the settings of [${section}]`
    : `unknown setting; did you mean ${near}?`;
}
