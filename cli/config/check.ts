import { checkStart } from "#app/check/check.ts";
import { type Finding, reporter } from "#app/check/finding.ts";
import { currentUser, userCalled } from "#app/check/user.ts";
import { readSettings, type SettingSources } from "#app/settings/load.ts";
import { SettingsError } from "#app/settings/problems.ts";
import { defaultDataDirectory } from "../options.ts";
import { exitCode, type FindingsFormat, writeFindings } from "./findings.ts";

export interface CheckRequest {
  readonly sources: SettingSources;
  /** Who the service runs as; undefined: who runs this. */
  readonly asUser: string | undefined;
  readonly output: FindingsFormat;
}

/**
 * Reports whether a service with these settings would start on this machine.
 * @returns the exit code: 0 without errors, 1 with some
 * @throws SettingsError when settings themselves cannot be understood, after everything else was reported, unless the output is
 *   JSON: then the exit code is 2; CensusError when there is no configuration
 */
export async function checkConfiguration({ sources, asUser, output }: CheckRequest): Promise<number> {
  const { problems, findings } = await startFindings(sources, asUser);
  if (problems.length === 0) return writeFindings(findings, "Configuration", output);
  const others = findings.filter(({ level }) => level !== "ok");
  if (output === "json") {
    await writeFindings([...settingFindings(problems), ...others], "Configuration", output);
    return exitCode.notUnderstood;
  }
  if (others.length > 0) await writeFindings(others, "The rest of the configuration", output);
  throw new SettingsError(problems);
}

export interface StartFindings {
  /** A line for each setting that cannot be understood. */
  readonly problems: readonly string[];
  /** What was found about all other settings. */
  readonly findings: readonly Finding[];
}

/**
 * What a service with these settings would find on this machine.
 * @throws CensusError when there is no configuration, or no such user
 */
export async function startFindings(sources: SettingSources, asUser: string | undefined): Promise<StartFindings> {
  const user = asUser === undefined ? currentUser() : userCalled(asUser);
  const { problems, loaded } = await readSettings(sources);
  if (loaded === undefined) return { problems, findings: [] };
  const directory = loaded.settings.dataDirectory ?? defaultDataDirectory();
  const found = [sourceFinding(sources.config), ...(await checkStart(loaded, { user, directory }))];
  // Where a value is not valid, the default was checked in its place.
  const isBroken = ({ where }: Finding): boolean => where !== null && problems.some((line) => line.startsWith(where));
  return { problems, findings: found.filter((finding) => !isBroken(finding)) };
}

/** Which configuration was checked: where there is none, nothing that anybody wrote was. */
function sourceFinding(config: string | undefined): Finding {
  const report = reporter("configuration", config ?? null);
  return report.ok(config === undefined ? "no files; the defaults, variables and options apply" : "has been read");
}

/** The problems of settings that cannot be understood. */
export function settingFindings(problems: readonly string[]): Finding[] {
  const remedy = "correct the setting; see docs/settings.md";
  return problems.map((problem) => reporter("setting", null).error(problem, remedy));
}
