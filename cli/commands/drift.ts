import { declareCommand } from "../command.ts";
import { groupByOption, shortFormOptions } from "../short-forms/options.ts";

export const drift = declareCommand({
  name: "drift",
  description: "List corrective changes: what was changed outside of Puppet",
  args: {
    certname: { type: "positional", required: false, description: "On this node only" },
    status: {
      type: "enum",
      options: ["success", "noop", "failure"],
      description: "With this status; noop: not corrected yet",
    },
    resource: {
      type: "string",
      valueHint: "TYPE[TITLE]",
      description: "Of this resource, or of all resources of a type",
    },
    since: { type: "string", valueHint: "TIME", description: "Since TIME or in the last DURATION (2h, 7d)" },
    "group-by": groupByOption,
    ...shortFormOptions,
  },
  examples: ["drift --since 7d --archive export.tgz", "drift --group-by resource --archive export.tgz"],
  run: async ({ args }) => {
    const [{ driftForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/drift.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(driftForm(args), args);
  },
});
