import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { type LoadedSettings, loadSettings, type SettingSources } from "#app/settings/load.ts";
import { SettingsError } from "#app/settings/problems.ts";

/** What settings are read from in a test: files by name, in a folder of their own. */
export interface Given extends Partial<Pick<SettingSources, "env" | "flags">> {
  readonly files?: Readonly<Record<string, string>>;
}

/** The result of reading them; `FOLDER` represents the folder in every text. */
export interface Outcome {
  readonly loaded: LoadedSettings | undefined;
  readonly problems: readonly string[];
}

/** Reads settings of a test's own making. */
export async function load({ files, env = {}, flags = {} }: Given): Promise<Outcome> {
  await using folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files ?? {})) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  const neutral = <T>(value: T): T => replaceIn(value, folder.path) as T;
  try {
    const loaded = await loadSettings({ config: files === undefined ? undefined : folder.path, env, flags });
    return { loaded: neutral(loaded), problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { loaded: undefined, problems: neutral(error.problems) };
  }
}

/** The same for one ini file. */
export async function loadIni(text: string): Promise<Outcome> {
  return load({ files: { "site.ini": text } });
}

/** The value and origin of `[section] name`. */
export function entry(outcome: Outcome, section: string, name: string): [string | null, string] {
  const found = outcome.loaded?.entries.find((one) => one.section === section && one.name === name);
  if (found === undefined) throw new Error(`no ${section} ${name}: ${outcome.problems.join("; ")}`);
  return [found.value, found.from];
}

function replaceIn(value: unknown, path: string): unknown {
  if (typeof value === "string") return value.replaceAll(path, "FOLDER");
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, path));
  if (typeof value !== "object" || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, path)]));
}
