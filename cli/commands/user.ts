import { accessFileOptions } from "../access-file/options.ts";
import { choiceArgument } from "../arguments.ts";
import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";

const actions = ["add", "list", "password", "remove", "sign-out", "group"] as const;

export const user = declareCommand({
  name: "user",
  description: "Add, list or remove people who sign in with a password, and give roles to groups",
  args: {
    action: choiceArgument(actions),
    name: {
      type: "positional",
      required: false,
      description: "Name of the user; for sign-out also sso:NAME or proxy:NAME; for group its name, or * for everybody",
    },
    role: { type: "string", valueHint: "ROLE", description: "reader, operator or admin; with add and group" },
    groups: { type: "string", valueHint: "GROUP,…", description: "Groups of the user; with add" },
    "password-file": {
      type: "string",
      valueHint: "FILE",
      description: "Read the password from the first line of FILE (default: ask for it); with add and password",
    },
    ...accessFileOptions,
    output: outputOption("table", "json"),
  },
  examples: [
    "user add alice --role reader --access-file /etc/census/access.json",
    "user group ops --role operator",
    "user sign-out sso:alice",
    "user list",
  ],
  run: async ({ args }) => {
    const [{ readName }, { add, group, list, password, remove, signOut }] = await Promise.all([
      import("../access-file/names.ts"),
      import("../access-file/user-actions.ts"),
    ]);
    const action = args.action as (typeof actions)[number];
    const name = readName("user", args);
    if (action === "list") return list(args);
    const run = { add, password, remove, "sign-out": signOut, group }[action];
    return run(name, args);
  },
});
