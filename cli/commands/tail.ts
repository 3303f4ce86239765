import { outcomeKeys } from "#storage/states/node-state.ts";
import { declareCommand } from "../command.ts";
import { followOutput } from "../follow/output-option.ts";
import { sourceOptions } from "../sources/options.ts";

export const tail = declareCommand({
  name: "tail",
  description: "Print reports and their events as they arrive at a server",
  args: {
    source: {
      type: "positional",
      required: false,
      description: "URL of a server; an archive or data directory ends at once",
    },
    certname: { type: "string", valueHint: "NAME", description: "Of this node; * matches any characters" },
    status: { type: "enum", options: ["failed", "changed", "unchanged"], description: "With this status" },
    state: { type: "enum", options: [...outcomeKeys], description: "In this state; hidden: a hidden failure" },
    environment: { type: "string", valueHint: "NAME", description: "In environment NAME; * matches any characters" },
    "containing-class": {
      type: "string",
      valueHint: "NAME",
      description: "With events of this class; * matches any characters; other events are left out",
    },
    resource: {
      type: "string",
      valueHint: "TYPE[TITLE]",
      description: "Of this resource, or of all resources of a type; other events are left out",
    },
    where: { type: "string", valueHint: "PQL", description: "Reports with this condition, e.g. 'noop = true'" },
    show: { type: "enum", options: ["reports", "events"], description: "Print only these" },
    last: { type: "string", valueHint: "N", description: "Begin with the last N reports (default: 10)" },
    since: {
      type: "string",
      valueHint: "TIME",
      description: "Since TIME or in the last DURATION (2h, 7d); received then",
    },
    every: { type: "string", valueHint: "DURATION", description: "Time between two looks (default: 2s)" },
    ...sourceOptions,
    output: followOutput,
  },
  refuses: { "as-of": "tail prints what arrives from now on; use census reports or census events with --as-of" },
  examples: [
    "tail http://127.0.0.1:8080",
    "tail --status failed --containing-class 'Profile::*' --url http://127.0.0.1:8080",
    "tail --state hidden --url http://127.0.0.1:8080",
    "tail --since 1h --show events --output ndjson --url http://127.0.0.1:8080",
    "tail export.tgz --last 3 --output text",
  ],
  run: async ({ args }) => {
    const { runTail } = await import("../follow/tail.ts");
    await runTail(args);
  },
});
