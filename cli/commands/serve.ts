import { settingFlags } from "#app/settings/sources/flags.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { acceptLossOption, defaultDataDirectory, nowOption, readNow } from "../options.ts";
import { serviceConfig, serviceConfigOption } from "../service-config.ts";

export const serve = declareCommand({
  name: "serve",
  description: "Run the server: accept commands and answer queries over HTTP",
  args: {
    memory: { type: "boolean", description: "Keep all data in memory; it is lost when the server stops" },
    now: nowOption,
    config: serviceConfigOption,
    "accept-loss": acceptLossOption,
    ...settingFlags,
  },
  examples: [
    "serve --data /var/lib/census",
    "serve --config /etc/puppetlabs/puppetdb/conf.d",
    "serve --memory --port 0 --now 2026-11-20T12:00:00Z",
  ],
  run: async ({ args }) => {
    const { memory, config } = args;
    if (memory && args["data"] !== undefined)
      throw new UsageError("serve: --data and --memory cannot be used together");
    const clock = readNow(args.now);
    if (args["log-format"] === "json")
      await (await import("../log.ts")).configureLog({ level: "info", format: "json" });
    const [{ loadSettings }, { serveWith }] = await Promise.all([
      import("#app/settings/load.ts"),
      import("../serving.ts"),
    ]);
    const { entries, settings, ignored, warnings } = await loadSettings({
      config: serviceConfig(config),
      env: process.env,
      flags: args,
    });
    const directory = memory ? undefined : (settings.dataDirectory ?? defaultDataDirectory());
    const { actAsOwner } = await import("../owner.ts");
    const owner = directory === undefined ? undefined : actAsOwner(directory);
    if (owner !== undefined) process.stderr.write(`census: works as ${owner.name}, the owner of ${directory}\n`);
    await serveWith(settings, { directory, clock, ignored, warnings, entries, acceptsLoss: args["accept-loss"] });
  },
});
