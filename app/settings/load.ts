import { checkTogether } from "./checks.ts";
import { choose, type IgnoredSetting } from "./choose.ts";
import { configVariable, readEnvironment } from "./sources/environment.ts";
import { type Flags, readFlags } from "./sources/flags.ts";
import { sourceOf, subjectOf } from "./sources/given.ts";
import { tlsWithoutListener, unusedBecause } from "./http.ts";
import { SettingsError } from "./problems.ts";
import { assemble, type Settings } from "./settings.ts";
import { declared, type Values } from "./table.ts";
import { type Chosen, keyOf, readValues } from "./values.ts";

/** The sources of settings; a later source overrides an earlier one. */
export interface SettingSources {
  /** A file or a folder; undefined: what CENSUS_CONFIG names, if anything. */
  readonly config?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Options of the command line; those that are not settings are ignored. */
  readonly flags: Flags;
}

/** A setting with its effective value and its source. */
export interface SettingEntry {
  readonly section: string;
  readonly name: string;
  /** The value's spelling; null: there is none. */
  readonly value: string | null;
  /** `default`, `/etc/census/jetty.ini:5`, `CENSUS_JETTY_PORT`, `--port` */
  readonly from: string;
  /** The meaning of a missing value, or what the default depends on. */
  readonly note: string;
}

/** The settings, and messages about them. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Every setting, in the order of the table. */
  readonly entries: readonly SettingEntry[];
  /** Settings of PuppetDB in the configuration that have no effect here. */
  readonly ignored: readonly IgnoredSetting[];
  /** Settings that are valid, but probably not what was meant. */
  readonly warnings: readonly SettingWarning[];
}

export interface SettingWarning {
  /** The place and name of the setting: `--ssl-cert`, `/etc/census/jetty.ini:5: [jetty] ssl-cert` */
  readonly subject: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Settings as far as they can be read. */
export interface ReadSettings {
  /** A line for each error, with its place. */
  readonly problems: readonly string[];
  /** The settings with the defaults in place of what is not valid; undefined where problems leave nothing to work with. */
  readonly loaded: LoadedSettings | undefined;
}

/**
 * Reads the settings: defaults, PuppetDB's files, `CENSUS_*` variables, options; a later source overrides.
 * @throws SettingsError with every problem at once; CensusError "bad-file" when the configuration cannot be read at all
 */
export async function loadSettings(sources: SettingSources): Promise<LoadedSettings> {
  const { problems, loaded } = await readSettings(sources);
  if (problems.length > 0 || loaded === undefined) throw new SettingsError(problems);
  return loaded;
}

/**
 * The same for a check, which looks at the rest where some are not valid.
 * @throws CensusError "bad-file" when the configuration cannot be read at all
 */
export async function readSettings({ config, env, flags }: SettingSources): Promise<ReadSettings> {
  const path = config ?? (env[configVariable] || undefined);
  // The readers of PuppetDB's formats are loaded only where there is a file.
  const files =
    path === undefined
      ? { given: [], problems: [] }
      : await (await import("./sources/files.ts")).readConfiguration(path, env);
  const variables = readEnvironment(env);
  const problems = [...files.problems, ...variables.problems];
  const { chosen, ignored } = choose([...files.given, ...variables.given, ...readFlags(flags)], problems);
  const broken = new Set<string>();
  const values = readValues(chosen, problems, broken);
  problems.push(...checkTogether(values, chosen, broken));
  const load = (): LoadedSettings => ({
    settings: assemble(values, chosen),
    entries: entriesOf(values, chosen),
    ignored,
    warnings: warningsOf(chosen),
  });
  return { problems, loaded: problems.length === 0 ? load() : orUndefined(load) };
}

function orUndefined<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

function warningsOf(chosen: Chosen): SettingWarning[] {
  const unused = tlsWithoutListener(chosen);
  if (unused === undefined) return [];
  const problem = "has no effect: TLS is off";
  return [{ subject: subjectOf(unused), problem, remedy: "set ssl-host or ssl-port as well" }];
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
