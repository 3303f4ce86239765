import { checkTogether } from "./checks.ts";
import { choose, type IgnoredSetting } from "./choose.ts";
import { configVariable, readEnvironment } from "./sources/environment.ts";
import { type Flags, readFlags } from "./sources/flags.ts";
import { sourceOf } from "./sources/given.ts";
import { unusedBecause } from "./http.ts";
import { SettingsError } from "./problems.ts";
import { assemble, type Settings } from "./settings.ts";
import { declared, type Values } from "./table.ts";
import { type Chosen, keyOf, readValues } from "./values.ts";

/** What settings are read from; the later holds. */
export interface SettingSources {
  /** A file or a folder; undefined: what CENSUS_CONFIG names, if anything. */
  readonly config?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Options of the command line; those that are no settings are passed over. */
  readonly flags: Flags;
}

/** A setting, what holds, and where that comes from. */
export interface SettingEntry {
  readonly section: string;
  readonly name: string;
  /** As it would be written; null: none. */
  readonly value: string | null;
  /** `default`, `/etc/census/jetty.ini:5`, `CENSUS_JETTY_PORT`, `--port` */
  readonly from: string;
  /** What holds without a value, or what the default depends on. */
  readonly note: string;
}

/** Settings to go by, and what is to be said of them. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Every setting there is, in the order of the table. */
  readonly entries: readonly SettingEntry[];
  /** What a configuration of PuppetDB holds that means nothing here. */
  readonly ignored: readonly IgnoredSetting[];
}

/**
 * Reads the settings: defaults, PuppetDB's files, `CENSUS_*` variables, options; the later holds.
 * @throws SettingsError with every problem at once; CensusError "bad-file" when the configuration cannot be read at all
 */
export async function loadSettings({ config, env, flags }: SettingSources): Promise<LoadedSettings> {
  const path = config ?? (env[configVariable] || undefined);
  // What reads PuppetDB's formats is loaded where there is something to read.
  const files =
    path === undefined
      ? { given: [], problems: [] }
      : await (await import("./sources/files.ts")).readConfiguration(path);
  const variables = readEnvironment(env);
  const problems = [...files.problems, ...variables.problems];
  const { chosen, ignored } = choose([...files.given, ...variables.given, ...readFlags(flags)], problems);
  const values = readValues(chosen, problems);
  // Values that could not be read say nothing about others.
  if (problems.length === 0) problems.push(...checkTogether(values, chosen));
  if (problems.length > 0) throw new SettingsError(problems);
  return { settings: assemble(values, chosen), entries: entriesOf(values, chosen), ignored };
}

function entriesOf(values: Values, chosen: Chosen): SettingEntry[] {
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = values;
  return declared.map((one) => {
    const { section, name, setting } = one;
    const unused = unusedBecause(one, chosen);
    const value = unused === undefined ? all[section]?.[name] : undefined;
    const given = chosen.get(keyOf(one));
    return {
      section,
      name,
      value: value === undefined ? null : setting.kind.print(value),
      from: given === undefined ? "default" : sourceOf(given.place),
      note: unused ?? (given === undefined ? (setting.fallback.said ?? "") : ""),
    };
  });
}
