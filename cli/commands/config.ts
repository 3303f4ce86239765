import type { LoadedSettings } from "#app/settings/load.ts";
import { settingFlags } from "#app/settings/sources/flags.ts";
import { declareCommand } from "../command.ts";
import { configOption, outputOption } from "../options.ts";
import type { Rows } from "../output/writers.ts";
import { stdout } from "../stdout.ts";

export const config = declareCommand({
  name: "config",
  description: "Show every setting, what holds and where it comes from",
  args: {
    config: configOption,
    check: {
      type: "boolean",
      description: "Only say whether the settings are sound, and what of PuppetDB's means nothing here",
    },
    output: outputOption("table", "json"),
    ...settingFlags,
  },
  examples: ["config --config /etc/puppetlabs/puppetdb/conf.d", "config --config /etc/census --check"],
  run: async ({ args }) => {
    const { config: path, output, check } = args as { config?: string; output?: "table" | "json"; check?: boolean };
    const { loadSettings } = await import("#app/settings/load.ts");
    const loaded = await loadSettings({ config: path, env: process.env, flags: args });
    if (check === true) await stdout.write(judgement(loaded));
    else await show(loaded, output ?? (process.stdout.isTTY ? "table" : "json"));
  },
});

async function show(loaded: LoadedSettings, format: "table" | "json"): Promise<void> {
  const { writers } = await import("../output/writers.ts");
  await writers[format](rowsOf(loaded), stdout);
}

/** A row per setting, then one per setting of the peer that is passed over; their values may be passwords. */
async function* rowsOf({ entries, ignored }: LoadedSettings): Rows {
  yield entries.map(({ section, name, ...rest }) => JSON.stringify({ section, setting: name, ...rest }));
  yield ignored.map(({ section, name, from, reason }) =>
    JSON.stringify({ section, setting: name, value: null, from, note: `ignored: ${reason}` }),
  );
}

function judgement({ ignored }: LoadedSettings): string {
  const lines = ignored.map(({ section, name, from, reason }) => `${from}: [${section}] ${name} is ignored: ${reason}`);
  return [...lines, "The settings are sound.", ""].join("\n");
}
