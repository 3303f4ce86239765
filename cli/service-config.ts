import { CensusError } from "#storage/errors.ts";
import { configOption, dataOption } from "./options.ts";

/** Where the installed service reads its configuration: `packaging/systemd/census.service` names it. */
export const installedConfig = "/etc/census/conf.d";

/** What commands that look after the service of this machine call a value that nobody chose. */
export const unset = "default";

/** The option of those commands that names the configuration. */
export const serviceConfigOption = {
  ...configOption,
  description: `${configOption.description.split(" (")[0]}; gives the address and the data directory of the service (default: $CENSUS_CONFIG, else ${installedConfig} if it exists)`,
} as const;

export const serviceDataOption = {
  ...dataOption,
  description: "Data directory (default: vardir of --config, else $XDG_DATA_HOME/census, else ~/.local/share/census)",
} as const;

/** Behind a message about something: what chose it. Nothing for what an option of the command line named. */
export function placeText(what: string, from: string): string {
  if (from.startsWith("--")) return "";
  return from === unset ? ` (default ${what})` : ` (${what} from ${from})`;
}

/** Runs something that uses a value, and says in its errors about files what chose the value. */
export async function withPlace<T>(what: string, from: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const place = placeText(what, from);
    if (place === "" || !(error instanceof CensusError) || error.code !== "bad-file") throw error;
    throw new CensusError(error.code, `${error.message}${place}`, { cause: error });
  }
}
