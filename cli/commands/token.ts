import { accessFileOptions } from "../access-file/options.ts";
import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";

const actions = ["create", "list", "revoke"] as const;

export const token = declareCommand({
  name: "token",
  description: "Create, list or revoke tokens, with which programs use a server",
  args: {
    action: choiceArgument(actions),
    name: { type: "positional", required: false, description: "Name of the token" },
    may: {
      type: "string",
      valueHint: "FAMILY,…",
      description:
        "Endpoints it is for: query, command, archive, admin, status, metrics, pages, or a role: reader, operator, admin; with create",
    },
    expires: {
      type: "string",
      valueHint: "DURATION",
      description: "Lifetime, e.g. 30d, or never (default: 90d); with create",
    },
    out: {
      type: "string",
      valueHint: "FILE",
      description: "Write to FILE, atomically; a new file for the token; with create",
    },
    ...accessFileOptions,
    output: outputOption("table", "json"),
  },
  examples: [
    "token create ci --may query,metrics --access-file /etc/census/access.json",
    "token create puppetboard --may reader --expires 365d --out /etc/puppetboard/token",
    "token list",
    "token revoke ci",
  ],
  run: async ({ args }) => {
    const [{ readName }, { create, list, revoke }] = await Promise.all([
      import("../access-file/names.ts"),
      import("../access-file/token-actions.ts"),
    ]);
    const action = args.action as (typeof actions)[number];
    const name = readName("token", args);
    if (action === "list") return list(args);
    return action === "create" ? create(name, args) : revoke(name, args);
  },
});
