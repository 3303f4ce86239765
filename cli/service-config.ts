import { CensusError } from "#storage/errors.ts";
import { configOption, dataOption } from "./options.ts";
import { contactOptions } from "./sources/contact-options.ts";

/** The configuration of the installed service, as in `packaging/systemd/census.service`. */
export const installedConfig = "/etc/census/conf.d";

/** The source of a value that is set nowhere. */
export const unset = "default";

/** The option that names the configuration of the installed service. */
export const serviceConfigOption = {
  ...configOption,
  description: `${configOption.description.split(" (")[0]}; gives the address and the data directory of the service (default: $CENSUS_CONFIG, else ${installedConfig} if it exists)`,
  group: "source",
} as const;

// A command for one server takes no list of several.
const { urls: _, ...oneContact } = contactOptions;

/** The options of a command for one server: that of its address, or the service of this machine. */
export const oneServerOptions = { ...oneContact, config: serviceConfigOption } as const;

/** The options of a command that works on the data directory of the service. */
export const dataDirectoryOptions = {
  data: {
    ...dataOption,
    description: "Data directory (default: vardir of --config, else $XDG_DATA_HOME/census, else ~/.local/share/census)",
  },
  config: serviceConfigOption,
} as const;

/** The suffix of a message that says where a value was set; empty for command-line options. */
export function placeText(what: string, from: string): string {
  if (from.startsWith("--")) return "";
  return from === unset ? ` (default ${what})` : ` (${what} from ${from})`;
}

/** Runs something with a value and adds to file errors where the value was set. */
export async function withPlace<T>(what: string, from: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const place = placeText(what, from);
    if (place === "" || !(error instanceof CensusError) || error.code !== "bad-file") throw error;
    throw new CensusError(error.code, `${error.message}${place}`, { cause: error });
  }
}
