import type { LoadedSettings } from "#app/settings/load.ts";
import type { JsonObject } from "#storage/json.ts";
import { settingFlags } from "#app/settings/sources/flags.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { printRows } from "../output/print.ts";
import { rowsOf } from "../output/rows.ts";
import { serviceConfig, serviceConfigOption } from "../service-config.ts";

export const config = declareCommand({
  name: "config",
  description: "Show the effective settings and where each is set",
  args: {
    config: serviceConfigOption,
    check: {
      type: "boolean",
      description:
        "Check what the settings refer to: certificates, keys, access files, directories, disk space, ports, clock; exit code 1 on errors",
    },
    "as-user": {
      type: "string",
      valueHint: "NAME",
      description:
        "Check permissions for this user, as whom the service runs (with --check; default: the current user)",
    },
    output: outputOption("table", "json"),
    ...settingFlags,
  },
  examples: ["config --config /etc/puppetlabs/puppetdb/conf.d", "config --check --as-user census"],
  run: async ({ args }) => {
    const { config, output, check, "as-user": asUser } = args as ConfigArguments;
    const sources = { config: serviceConfig(config), env: process.env, flags: args };
    if (check === true) {
      const { checkConfiguration } = await import("../config/check.ts");
      return checkConfiguration({ sources, asUser, output });
    }
    if (asUser !== undefined) throw new UsageError("config: --as-user needs --check");
    const { loadSettings } = await import("#app/settings/load.ts");
    await printRows(rowsOf(settingRows(await loadSettings(sources))), output);
    return 0;
  },
});

interface ConfigArguments {
  readonly config?: string | undefined;
  readonly output?: "table" | "json" | undefined;
  readonly check?: boolean | undefined;
  readonly "as-user"?: string | undefined;
}

/** A row per setting, then one per ignored setting of PuppetDB, without its value: it may be a password. */
function settingRows({ entries, ignored }: LoadedSettings): JsonObject[] {
  return [
    ...entries.map(({ section, name, ...rest }) => ({ section, setting: name, ...rest })),
    ...ignored.map(({ section, name, from, reason }) => {
      return { section, setting: name, value: null, from, note: `ignored: ${reason}` };
    }),
  ];
}
