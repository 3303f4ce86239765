import { settingFlags } from "#app/settings/sources/flags.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { configOption, defaultDataDirectory, nowOption, readNow } from "../options.ts";

export const serve = declareCommand({
  name: "serve",
  description: "Take in commands and answer queries over HTTP",
  args: {
    memory: { type: "boolean", description: "Keep everything in memory: gone when the program ends" },
    now: nowOption,
    config: configOption,
    "accept-loss": {
      type: "boolean",
      description:
        "Start although the data directory is known to hold less than it did, as after a backup was restored (see docs/recovery.md)",
    },
    ...settingFlags,
  },
  examples: [
    "serve --data /var/lib/census",
    "serve --config /etc/puppetlabs/puppetdb/conf.d",
    "serve --memory --port 0 --now 2026-11-20T12:00:00Z",
  ],
  run: async ({ args }) => {
    const { memory, config } = args;
    if (memory && args["data"] !== undefined) throw new UsageError("serve: --data and --memory exclude each other");
    const clock = readNow(args.now);
    const [{ loadSettings }, { serveWith }] = await Promise.all([
      import("#app/settings/load.ts"),
      import("../serving.ts"),
    ]);
    const { settings, ignored } = await loadSettings({ config, env: process.env, flags: args });
    const directory = memory ? undefined : (settings.dataDirectory ?? defaultDataDirectory());
    await serveWith(settings, { directory, clock, ignored, acceptsLoss: args["accept-loss"] });
  },
});
