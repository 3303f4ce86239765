import { checkStart } from "#app/check/check.ts";
import { type Finding, type Level, reporter } from "#app/check/finding.ts";
import { currentUser, userCalled } from "#app/check/user.ts";
import { type LoadedSettings, loadSettings, type SettingSources } from "#app/settings/load.ts";
import { SettingsError } from "#app/settings/problems.ts";
import { defaultDataDirectory } from "../options.ts";
import { stdout } from "../stdout.ts";

export interface CheckRequest {
  readonly sources: SettingSources;
  /** Who the service runs as; undefined: who runs this. */
  readonly asUser: string | undefined;
  /** Undefined: text. */
  readonly output: "table" | "json" | undefined;
}

/** Exit codes of `census config --check`. */
const exitCode = { sound: 0, errors: 1, notUnderstood: 2 } as const;

/**
 * Reports whether a service with these settings would start on this machine.
 * @returns the exit code: 0 without errors, 1 with some, 2 when the settings themselves cannot be understood
 * @throws SettingsError unless the output is JSON; CensusError when there is no configuration
 */
export async function checkConfiguration({ sources, asUser, output }: CheckRequest): Promise<number> {
  const user = asUser === undefined ? currentUser() : userCalled(asUser);
  let loaded: LoadedSettings;
  try {
    loaded = await loadSettings(sources);
  } catch (error) {
    if (output !== "json" || !(error instanceof SettingsError)) throw error;
    const remedy = "correct the setting; see docs/settings.md";
    await writeJson(error.problems.map((problem) => reporter("setting", null).error(problem, remedy)));
    return exitCode.notUnderstood;
  }
  const directory = loaded.settings.dataDirectory ?? defaultDataDirectory();
  const findings = await checkStart(loaded, { user, directory });
  if (output === "json") await writeJson(findings);
  else await stdout.write(findingsText(findings));
  return findings.some(({ level }) => level === "error") ? exitCode.errors : exitCode.sound;
}

async function writeJson(findings: readonly Finding[]): Promise<void> {
  const rows = findings.map((finding) => JSON.stringify(finding));
  await stdout.write(`[\n${rows.join(",\n")}${rows.length === 0 ? "" : "\n"}]\n`);
}

/** A line for each finding with its fix below, and a summary. */
function findingsText(findings: readonly Finding[]): string {
  const width = "warning".length;
  const lines = findings.flatMap(({ level, check, where, what, remedy }) => [
    `${level.padEnd(width)}  ${check}: ${where === null ? "" : `${where}: `}${what}`,
    ...(remedy === null ? [] : [`${" ".repeat(width)}  fix: ${remedy}`]),
  ]);
  return [...lines, summary(findings), ""].join("\n");
}

function summary(findings: readonly Finding[]): string {
  const [errors, warnings] = (["error", "warning"] as const).map((level) => levelCount(findings, level));
  if (errors === undefined && warnings === undefined) return "Configuration OK.";
  return `Configuration has ${[errors, warnings].filter((text) => text !== undefined).join(" and ")}.`;
}

function levelCount(findings: readonly Finding[], wanted: Level): string | undefined {
  const count = findings.filter(({ level }) => level === wanted).length;
  return count === 0 ? undefined : `${count} ${wanted}${count === 1 ? "" : "s"}`;
}
