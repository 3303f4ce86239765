import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";
import { runLoaded } from "../short-forms/run-loaded.ts";

export const reports = declareCommand({
  name: "reports",
  description: "List the latest reports: status, resource counts, duration",
  args: {
    certname: { type: "positional", required: false, description: "Of this node only" },
    status: { type: "enum", options: ["failed", "changed", "unchanged"], description: "With this status" },
    environment: { type: "string", valueHint: "NAME", description: "In environment NAME" },
    since: { type: "string", valueHint: "TIME", description: "Since TIME or in the last DURATION (2h, 7d)" },
    latest: { type: "boolean", description: "Only the latest report of each node" },
    sort: {
      type: "enum",
      options: ["time", "duration"],
      description: "First the newest (default), or the longest runs",
    },
    flapping: {
      type: "boolean",
      description: "List nodes whose runs changed between failed and not failed at least twice",
    },
    "by-day": {
      type: "boolean",
      description: "List days (of the last 14): how many runs, and how long half and 95 % of them took at most",
    },
    ...shortFormOptions,
    limit: { ...shortFormOptions.limit, description: `${shortFormOptions.limit.description} (default: 20)` },
  },
  examples: [
    "reports --status failed --since 1d --archive export.tgz",
    "reports --sort duration --latest --archive export.tgz",
    "reports --flapping --since 7d --archive export.tgz",
    "reports --by-day --since 7d --archive export.tgz",
    "reports berth-0024.tollhouse.saltmarsh.example --archive export.tgz --output csv",
  ],
  run: async ({ args }) => {
    if (args["by-day"] === true) {
      const { dailyTimes, runTimesList } = await import("../short-forms/run-times.ts");
      return runTimesList(dailyTimes(args), args);
    }
    return runLoaded(args, async () => (await import("../short-forms/reports.ts")).reportsForm(args));
  },
});
