import type { StringArgDef } from "citty";
import { loadService } from "../configured.ts";
import { UsageError } from "../errors.ts";
import type { ArgumentsOf, InGroup } from "../option-groups.ts";
import { installedConfig, serviceConfigOption } from "../service-config.ts";

/** The options of commands that change the access file. */
export const accessFileOptions = {
  "access-file": {
    type: "string",
    valueHint: "PATH",
    description: "Access file (default: access-file of --config)",
    group: "source",
  } as const satisfies StringArgDef & InGroup,
  config: serviceConfigOption,
  entry: { type: "boolean", description: "Print the entry of the access file as JSON instead of changing the file" },
} as const;

/** The values of {@link accessFileOptions}. */
export type AccessFileArguments = ArgumentsOf<typeof accessFileOptions>;

/** @throws UsageError where no file is named; SettingsError, CensusError "bad-file" for the configuration */
export async function accessFilePath(
  { "access-file": named, config }: AccessFileArguments,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  if (named !== undefined) return named;
  const { signIn } = (await loadService(config, env, installedConfig)).settings;
  if (signIn?.accessFile !== undefined) return signIn.accessFile;
  throw new UsageError("access-file is not set: name the file with --access-file, or set it in [census]");
}
