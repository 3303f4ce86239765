import { mostUrgentFirst } from "#storage/states/node-state.ts";
import { declareCommand } from "../command.ts";
import { activities } from "../short-forms/nodes.ts";
import { shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const nodes = declareCommand({
  name: "nodes",
  description: "List nodes with the status and time of their latest run",
  args: {
    certname: { type: "positional", required: false, description: "Certname, short name, or a pattern with *" },
    status: {
      type: "enum",
      options: ["failed", "changed", "unchanged", "none"],
      description: "With this status (of the latest run); none: no report yet",
    },
    environment: { type: "string", valueHint: "NAME", description: "In environment NAME" },
    silent: {
      type: "string",
      valueHint: "TIME",
      description: "No report since TIME or for DURATION (2h, 7d); the longest first",
    },
    fact: { type: "string", valueHint: "NAME=VALUE", description: "With this fact value, e.g. os.family=Debian" },
    class: { type: "string", valueHint: "NAME", description: "With this class (in the catalog)" },
    state: {
      type: "enum",
      options: [...mostUrgentFirst, ...activities],
      description:
        "In this state (or active, inactive: deactivated or expired, or any; default: active); hidden: a hidden failure",
    },
    count: { type: "boolean", description: "Count the nodes with each value: status of the latest run" },
    slower: {
      type: "boolean",
      description: "List nodes whose last 5 runs take at least 1.5 times as long as their runs before, and 10 s more",
    },
    ...shortFormOptions,
  },
  examples: [
    "nodes --count --archive export.tgz",
    "nodes --status failed --archive export.tgz",
    "nodes --silent 2h --archive export.tgz",
    "nodes --state corrective --archive export.tgz",
    "nodes 'crane-*' --fact os.family=Debian --class chrony --archive export.tgz --out cranes.csv",
    "nodes --slower --archive export.tgz",
    "nodes --state any --pql",
  ],
  run: async ({ args }) => {
    if (args.slower === true) {
      const { runTimesList, slowerNodes } = await import("../short-forms/run-times.ts");
      return runTimesList(slowerNodes(args), args);
    }
    return runLoaded(args, async () => (await import("../short-forms/nodes.ts")).nodesForm(args));
  },
});
