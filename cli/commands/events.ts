import { declareCommand } from "../command.ts";
import { groupByOption, shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const events = declareCommand({
  name: "events",
  description: "List events: current failures, a latest run, or one report",
  args: {
    of: {
      type: "positional",
      required: false,
      description: "Certname, for its latest report, or report hash (default: failures in all latest reports)",
    },
    status: { type: "enum", options: ["failure", "success", "noop", "skipped"], description: "With this status" },
    resource: {
      type: "string",
      valueHint: "TYPE[TITLE]",
      description: "Of this resource, or of all resources of a type",
    },
    since: {
      type: "string",
      valueHint: "TIME",
      description: "Since TIME or in the last DURATION (2h, 7d); searches all reports",
    },
    corrective: {
      type: "boolean",
      description: "Corrective changes, newest first: what was changed outside of Puppet; searches all reports",
    },
    "group-by": groupByOption,
    ...shortFormOptions,
  },
  examples: [
    "events --archive export.tgz",
    "events berth-0024.tollhouse.saltmarsh.example --archive export.tgz",
    "events --group-by message --archive export.tgz",
    "events --resource File --since 3d --archive export.tgz --output ndjson",
    "events --corrective --since 7d --archive export.tgz",
    "events --archive export.tgz --out failures.html",
  ],
  run: async ({ args }) => runLoaded(args, async () => (await import("../short-forms/events.ts")).eventsForm(args)),
});
