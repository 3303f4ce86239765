import { UsageError } from "../errors.ts";
import { declareCommand } from "../command.ts";
import { acceptLossOption, dataOption, portOption } from "../options.ts";
import { serviceConfig, serviceConfigOption } from "../service-config.ts";
import { contactOptions } from "../sources/contact-options.ts";

const { cacert, cert, key, token } = contactOptions;

export const follow = declareCommand({
  name: "follow",
  description: "Copy PuppetDB, OpenVoxDB or Census servers, keep up with them, and serve the copy",
  args: {
    url: {
      type: "positional",
      required: true,
      valueHint: "URL",
      description: "Server to follow, e.g. https://pdb.example.com:8081; NAME=URL gives it a name",
    },
    data: { ...dataOption, description: "Data directory to copy into (default: in memory)" },
    every: { type: "string", valueHint: "DURATION", description: "Time between two looks (default: 30s)" },
    once: { type: "boolean", description: "Compare once and end; what differs is copied" },
    "until-equal": {
      type: "boolean",
      description: "Exit when all that the servers have is here and no command is queued there",
    },
    cacert,
    cert,
    key,
    token,
    port: { ...portOption, description: `${portOption.description} (default: 8080)` },
    config: serviceConfigOption,
    "accept-loss": acceptLossOption,
  },
  repeats: true,
  examples: [
    "follow http://127.0.0.1:8080 --port 8090",
    "follow https://pdb.example.com:8081 --cacert ca.pem --cert me.pem --key me-key.pem --data /var/lib/census",
    "follow eu=https://pdb-eu:8081 us=https://pdb-us:8081 --data both --every 1m",
    "follow https://pdb.example.com:8081 --data /var/lib/census --until-equal",
  ],
  run: async ({ args }) => {
    if (args.once && args["until-equal"])
      throw new UsageError("follow: --once and --until-equal cannot be used together");
    const { followCommand } = await import("../origins/command.ts");
    return followCommand({
      urls: args._,
      directory: args.data,
      every: args.every,
      contact: args,
      port: args.port,
      config: serviceConfig(args.config),
      acceptsLoss: args["accept-loss"] === true,
      mode: args.once ? "once" : args["until-equal"] ? "until equal" : "serve",
      showsBrowser: false,
    });
  },
});
