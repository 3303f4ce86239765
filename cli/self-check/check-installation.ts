import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkEngine } from "#app/check/engine.ts";
import { type Finding, reporter } from "#app/check/finding.ts";
import { checkInstalledFiles, checkOwnership } from "#app/check/installed-files.ts";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { settingFindings, startFindings } from "../config/check.ts";
import { serviceConfig } from "../service-config.ts";

/**
 * Checks everything that an installed service needs: its files, the engine, and what `config --check` checks.
 * @param config the configuration; undefined: that of the variable, else that of the installed service, if it exists
 * @param asUser the user of the service; undefined: the current user
 * @throws CensusError when there is no such user
 */
export async function checkInstallation(config: string | undefined, asUser: string | undefined): Promise<Finding[]> {
  const program = realpathSync(process.execPath);
  const path = serviceConfig(config);
  return [
    reporter("program", null).ok(`census ${version} for ${process.platform}-${process.arch}, run by ${program}`),
    ...(await checkInstalledFiles(program)),
    await checkEngine(),
    ...(path === undefined ? [] : checkOwnership(filesOf(path))),
    ...(await configuration(path, asUser)),
  ];
}

/** A configuration that cannot be read is a finding: the other findings are printed too. */
async function configuration(config: string | undefined, asUser: string | undefined): Promise<Finding[]> {
  try {
    const { problems, findings } = await startFindings({ config, env: process.env, flags: {} }, asUser);
    return [...settingFindings(problems), ...findings];
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "bad-file") throw error;
    return [reporter("configuration", config ?? null).error(error.message, "correct --config, or the file")];
  }
}

function filesOf(config: string): string[] {
  const found = statSync(config, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? readdirSync(config).map((name) => join(config, name)) : [config];
}
