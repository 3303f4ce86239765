import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";

export const events = declareCommand({
  name: "events",
  description: "List what happened to resources: what fails now, a node's latest run, or one report",
  args: {
    of: {
      type: "positional",
      required: false,
      description:
        "A certname for its latest report, or the hash of a report (Default: what fails in all latest reports)",
    },
    status: { type: "enum", options: ["failure", "success", "noop", "skipped"], description: "Which ended so" },
    resource: { type: "string", valueHint: "TYPE[TITLE]", description: "Of this resource, or of all of a type" },
    since: {
      type: "string",
      valueHint: "TIME",
      description: "Since then, or within so long: 2h, 7d (those of all reports)",
    },
    ...shortFormOptions,
  },
  examples: [
    "events --archive export.tgz",
    "events berth-0024.tollhouse.saltmarsh.example --archive export.tgz",
    "events --resource File --since 3d --archive export.tgz --output ndjson",
  ],
  run: async ({ args }) => {
    const [{ eventsForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/events.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(eventsForm(args), args);
  },
});
