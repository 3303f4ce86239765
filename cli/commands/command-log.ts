import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { dataDirectoryOptions, oneServerOptions } from "../service-config.ts";
import { stdout } from "../stdout.ts";

/** The actions. */
const actions = ["status", "create", "join", "verify", "settings", "forget"] as const;

/** Seconds in which all servers have to say what they have stored. */
const TIMEOUT = 300;

/** Not `log`, which lists the history of nodes: this is named as the setting. */
export const commandLog = declareCommand({
  name: "command-log",
  description: "Set up, watch and check the command log that several servers share",
  args: {
    action: { type: "positional", required: true, valueHint: actions.join("|"), description: "Action" },
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
    const action = actions.find((known) => known === args.action);
    if (action === undefined) {
      const text = `ACTION must be one of ${actions.join(", ")}, not ${JSON.stringify(args.action)}`;
      throw new UsageError(`command-log: ${text}`);
    }
    if ((args.name !== undefined) !== (action === "forget")) {
      throw new UsageError(
        action === "forget" ? "command-log: forget needs the name of a server" : `command-log: ${action} takes no name`,
      );
    }
    const seconds = readTimeout(args.timeout);
    const [{ openSharedLog }, run] = await Promise.all([
      import("../shared-log/open.ts"),
      import("../shared-log/actions.ts"),
    ]);
    const output: "table" | "json" | undefined = args.output;
    const isJson = (output ?? (process.stdout.isTTY ? "table" : "json")) === "json";
    await using opened = await openSharedLog(args);
    const { code = 0, text, json } = await run[action](opened, { ...args, seconds });
    await stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : text);
    return code;
  },
});

function readTimeout(text = String(TIMEOUT)): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new UsageError(`--timeout must be a number of seconds above 0, not ${JSON.stringify(text)}`);
}
