import { outcomeKeys } from "#storage/states/node-state.ts";
import { declareCommand } from "../command.ts";
import { followOutput } from "../follow/output-option.ts";
import { sourceOptions } from "../sources/options.ts";

export const tail = declareCommand({
  name: "tail",
  description: "Print reports and their events as they arrive at a server",
  args: {
    certname: { type: "positional", required: false, description: "Certname, short name, or a pattern with *" },
    status: { type: "enum", options: ["failed", "changed", "unchanged"], description: "With this status" },
    state: { type: "enum", options: [...outcomeKeys], description: "In this state; hidden: a hidden failure" },
    environment: { type: "string", valueHint: "NAME", description: "In environment NAME; * matches any characters" },
    class: {
      type: "string",
      valueHint: "NAME",
      description: "With this class (of events; the others are left out; * matches any characters)",
    },
    resource: {
      type: "string",
      valueHint: "TYPE[TITLE]",
      description: "Of this resource, or of all resources of a type; other events are left out",
    },
    where: { type: "string", valueHint: "PQL", description: "Reports with this condition, e.g. 'noop = true'" },
    show: { type: "enum", options: ["reports", "events"], description: "Print only these" },
    limit: {
      type: "string",
      valueHint: "N",
      description: "Maximum rows (of the reports before those that arrive; default: 10)",
    },
    since: {
      type: "string",
      valueHint: "TIME",
      description: "Since TIME or in the last DURATION (2h, 7d); received then",
    },
    every: { type: "string", valueHint: "DURATION", description: "Time between two looks (default: 2s)" },
    ...sourceOptions,
    output: followOutput,
  },
  formerOptions: { last: "limit", "containing-class": "class" },
  refuses: {
    certname: "the node is an argument, e.g. census tail 'web-*'",
    "as-of": "tail prints what arrives from now on; use census reports or census events with --as-of",
  },
  examples: [
    "tail http://127.0.0.1:8080",
    "tail --status failed --class 'Profile::*' --url http://127.0.0.1:8080",
    "tail --state hidden --url http://127.0.0.1:8080",
    "tail --since 1h --show events --output ndjson --url http://127.0.0.1:8080",
    "tail 'berth-*' export.tgz --limit 3 --output text",
  ],
  run: async ({ args }) => {
    const { runTail } = await import("../follow/tail.ts");
    await runTail(args);
  },
});
