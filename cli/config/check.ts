import { checkStart } from "#app/check/check.ts";
import { type Finding, reporter } from "#app/check/finding.ts";
import { currentUser, userCalled } from "#app/check/user.ts";
import { type LoadedSettings, loadSettings, type SettingSources } from "#app/settings/load.ts";
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
 * @returns the exit code: 0 without errors, 1 with some, 2 when the settings themselves cannot be understood
 * @throws SettingsError unless the output is JSON; CensusError when there is no configuration
 */
export async function checkConfiguration({ sources, asUser, output }: CheckRequest): Promise<number> {
  try {
    const findings = await startFindings(sources, asUser);
    return await writeFindings(findings, "Configuration", output);
  } catch (error) {
    if (output !== "json" || !(error instanceof SettingsError)) throw error;
    await writeFindings(settingFindings(error), "Configuration", output);
    return exitCode.notUnderstood;
  }
}

/**
 * What a service with these settings would find on this machine.
 * @throws SettingsError; CensusError when there is no configuration, or no such user
 */
export async function startFindings(sources: SettingSources, asUser: string | undefined): Promise<Finding[]> {
  const user = asUser === undefined ? currentUser() : userCalled(asUser);
  const loaded: LoadedSettings = await loadSettings(sources);
  const directory = loaded.settings.dataDirectory ?? defaultDataDirectory();
  return [sourceFinding(sources.config), ...(await checkStart(loaded, { user, directory }))];
}

/** Which configuration was checked: where there is none, nothing that anybody wrote was. */
function sourceFinding(config: string | undefined): Finding {
  const report = reporter("configuration", config ?? null);
  return report.ok(config === undefined ? "no files; the defaults, variables and options apply" : "has been read");
}

/** The problems of settings that cannot be understood. */
export function settingFindings({ problems }: SettingsError): Finding[] {
  const remedy = "correct the setting; see docs/settings.md";
  return problems.map((problem) => reporter("setting", null).error(problem, remedy));
}
