import { existsSync, readdirSync } from "node:fs";
import { CensusError } from "#storage/errors.ts";
import { dataOption } from "./options.ts";
import { contactOptions } from "./sources/contact-options.ts";

/** The configuration of the installed service, as in `packaging/systemd/census.service`. */
export const installedConfig = "/etc/census/conf.d";

/** The source of a value that is set nowhere. */
export const unset = "default";

/**
 * The configuration of the service of this machine: the named one, else that of the variable, else the installed one, unless its
 * directory is empty, as in the image for containers. Undefined: there is none.
 */
export function serviceConfig(
  named: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
  installed: string = installedConfig,
): string | undefined {
  return named ?? (env["CENSUS_CONFIG"] || (isConfigured(installed) ? installed : undefined));
}

/** Errors other than that it does not exist are reported by whoever reads it. */
function isConfigured(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return existsSync(path);
  }
}

/** The option that names the configuration of the service. */
export const serviceConfigOption = {
  type: "string",
  valueHint: "PATH",
  description: `Configuration: an ini, conf or json file, or a directory of them (default: $CENSUS_CONFIG, else ${installedConfig} if it exists)`,
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
