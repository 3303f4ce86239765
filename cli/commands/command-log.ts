import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption, readSeconds } from "../options.ts";
import { printObject } from "../output/print.ts";
import { dataDirectoryOptions, oneServerOptions } from "../service-config.ts";

/** The actions. */
const actions = ["status", "create", "join", "verify", "settings", "forget"] as const;

/** Seconds in which all servers have to say what they have stored. */
const TIMEOUT = 300;

/** Not `log`, which lists the history of nodes: this is named as the setting. */
export const commandLog = declareCommand({
  name: "command-log",
  description: "Set up, watch and check the command log that several servers share",
  args: {
    action: choiceArgument(actions),
    name: { type: "positional", required: false, description: "With forget: a server that will not come back" },
    ...dataDirectoryOptions,
    "command-log": {
      type: "string",
      valueHint: "URL",
      description: "Log of commands that several servers share (default: that of --config)",
      group: "source",
    },
    "command-log-password-file": {
      type: "string",
      valueHint: "PATH",
      description: "File with the password for command-log (default: that of --config)",
      group: "source",
    },
    ...oneServerOptions,
    url: { ...oneServerOptions.url, description: "Server to use, Census or PuppetDB (with join: the one to copy)" },
    timeout: {
      type: "string",
      valueHint: "SECONDS",
      description: `Time limit (default: ${TIMEOUT}); with verify: for the servers`,
    },
    yes: {
      type: "boolean",
      description: "Proceed without confirmation; with settings: use those of --config for the log",
    },
    output: outputOption("table", "json"),
  },
  examples: [
    "command-log create --config /etc/census/conf.d",
    "command-log join --url http://census1.example.com:8080 --config /etc/census/conf.d",
    "command-log status --config /etc/census/conf.d --output table",
    "command-log verify --config /etc/census/conf.d",
    "command-log settings --config /etc/census/conf.d --yes",
  ],
  run: async ({ args }) => {
    const action = args.action as (typeof actions)[number];
    if ((args.name !== undefined) !== (action === "forget")) {
      throw new UsageError(
        action === "forget" ? "command-log: forget needs the name of a server" : `command-log: ${action} takes no name`,
      );
    }
    const seconds = readSeconds("--timeout", args.timeout ?? String(TIMEOUT));
    const [{ openSharedLog }, run] = await Promise.all([
      import("../shared-log/open.ts"),
      import("../shared-log/actions.ts"),
    ]);
    await using opened = await openSharedLog(args);
    const { code = 0, text, json } = await run[action](opened, { ...args, seconds });
    await printObject(json, text, args.output);
    return code;
  },
});
