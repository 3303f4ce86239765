import type { Settings } from "#app/settings/settings.ts";
import { CensusError } from "#storage/errors.ts";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { LogOperation } from "#storage/queue/replicated/operation.ts";
import { dataDirectoryOf, loadService } from "../configured.ts";
import { installedConfig } from "../service-config.ts";

/** The log of a configuration, and a connection to it. */
export interface OpenedLog extends AsyncDisposable {
  readonly log: LogOperation;
  readonly settings: Settings;
  /** The data directory of the server on this machine. */
  readonly directory: string;
}

export interface SharedLogArguments {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly "command-log"?: string | undefined;
  readonly "command-log-password-file"?: string | undefined;
}

/**
 * Connects to the log that options or the configuration name.
 * @throws CensusError "bad-input" where none is named, "unavailable" where it cannot be reached
 */
export async function openSharedLog(
  args: SharedLogArguments,
  env: NodeJS.ProcessEnv = process.env,
): Promise<OpenedLog> {
  const { "command-log": address, "command-log-password-file": passwordFile } = args;
  const flags = { "command-log": address, "command-log-password-file": passwordFile };
  const { settings } = await loadService(args.config, env, installedConfig, flags);
  const { commandLog } = settings;
  if (commandLog === undefined) {
    throw new CensusError("bad-input", "no command log: set command-log in the configuration, or give --command-log");
  }
  const directory = (await dataDirectoryOf(args, env)).value;
  const log = await LogOperation.open(readAddress(commandLog.address, commandLog.passwordFile), commandLog.days);
  return { log, settings, directory, [Symbol.asyncDispose]: async () => log[Symbol.asyncDispose]() };
}
