import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";

export const nodes = declareCommand({
  name: "nodes",
  description: "List nodes: how their last run ended, and when it was",
  args: {
    certname: { type: "positional", required: false, description: "One node, or several by a pattern with * in it" },
    status: {
      type: "enum",
      options: ["failed", "changed", "unchanged", "none"],
      description: "Which ended so (their last run); none: that have not reported at all",
    },
    environment: { type: "string", valueHint: "NAME", description: "Of this environment" },
    silent: {
      type: "string",
      valueHint: "TIME",
      description: "That have not reported since then, or for so long: 2h, 7d",
    },
    fact: { type: "string", valueHint: "NAME=VALUE", description: "With this fact, e.g. os.family=Debian" },
    class: { type: "string", valueHint: "NAME", description: "With this class in their catalog" },
    state: {
      type: "enum",
      options: ["active", "inactive", "any"],
      description: "Deactivated and expired nodes as well, or alone (Default: active)",
    },
    ...shortFormOptions,
  },
  examples: [
    "nodes --status failed --archive export.tgz",
    "nodes --silent 2h --archive export.tgz",
    "nodes 'crane-*' --fact os.family=Debian --class profile::base --archive export.tgz --out cranes.csv",
    "nodes --state any --pql",
  ],
  run: async ({ args }) => {
    const [{ nodesForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/nodes.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(nodesForm(args), args);
  },
});
