import { CensusError } from "#storage/errors.ts";
import { baseOf, type Given, sourceOf, subjectOf } from "./sources/given.ts";
import type { Setting } from "./setting.ts";
import { type Declared, declared, type Values } from "./table.ts";

/** The given value of each setting, by `keyOf`. */
export type Chosen = ReadonlyMap<string, Given>;

/** The key of a setting in a map. */
export function keyOf({ section, name }: Pick<Declared, "section" | "name">): string {
  return `[${section}] ${name}`;
}

/**
 * The effective value of every setting: the given one, else the default.
 * @param problems a line is added for each invalid value, which is then the default
 * @param broken the key of each setting with an invalid value is added
 */
export function readValues(chosen: Chosen, problems: string[], broken: Set<string> = new Set()): Values {
  const values = new Map<string, unknown>();
  for (const one of declared) {
    const given = chosen.get(keyOf(one));
    const value = given && readValue(one.setting, given, problems);
    if (given !== undefined && value === undefined) broken.add(keyOf(one));
    values.set(keyOf(one), value ?? fallbackOf(one, values));
  }
  const bySection: Record<string, Record<string, unknown>> = {};
  for (const one of declared) (bySection[one.section] ??= {})[one.name] = values.get(keyOf(one));
  return bySection as unknown as Values;
}

/** A setting follows the one in the table whose value is its default. */
function fallbackOf({ section, setting: { fallback } }: Declared, values: ReadonlyMap<string, unknown>): unknown {
  return "like" in fallback ? fallback.derive(values.get(keyOf({ section, name: fallback.like }))) : fallback.value;
}

function readValue(setting: Setting<unknown>, given: Given, problems: string[]): unknown {
  const { kind } = setting;
  if (given.problem !== undefined) {
    problems.push(`${subjectOf(given)}: ${given.problem}`);
    return undefined;
  }
  const value = given.raw === undefined ? undefined : kind.read(given.raw, baseOf(given.place));
  if (value === undefined || value === null) {
    const said = given.raw === undefined ? "objects" : JSON.stringify(given.raw);
    problems.push(`${subjectOf(given)} must be ${kind.expects}, not ${said}`);
    return undefined;
  }
  try {
    setting.check(value);
  } catch (error) {
    if (!(error instanceof CensusError)) throw error;
    problems.push(`${sourceOf(given.place)}: ${error.message}`);
    return undefined;
  }
  return value;
}
