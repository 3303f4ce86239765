import type { Settings } from "#app/settings/settings.ts";
import { CensusError } from "#storage/errors.ts";
import { placeOf, readAddress } from "#storage/queue/postgres/address.ts";
import { Connection } from "#storage/queue/postgres/connection.ts";
import { dataDirectoryOf, loadService } from "../configured.ts";
import { installedConfig } from "../service-config.ts";

/** The log of a configuration, and a connection to it. */
export interface OpenedLog extends AsyncDisposable {
  readonly connection: Connection;
  /** Its address, without the password. */
  readonly place: string;
  readonly settings: Settings;
  /** Days for which entries are kept. */
  readonly days: number;
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
  const read = readAddress(commandLog.address, commandLog.passwordFile);
  // Otherwise than servers, which must not run when settings are changed.
  const connection = await Connection.open(read, { program: "census command-log" });
  return {
    connection,
    place: placeOf(read),
    settings,
    days: commandLog.days,
    directory,
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
