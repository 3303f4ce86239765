import { declareCommand } from "../command.ts";
import { shortFormOptions } from "../short-forms/options.ts";

export const reports = declareCommand({
  name: "reports",
  description: "List the newest reports: how they ended, what they changed, how long they took",
  args: {
    certname: { type: "positional", required: false, description: "Of this node alone" },
    status: { type: "enum", options: ["failed", "changed", "unchanged"], description: "Which ended so" },
    environment: { type: "string", valueHint: "NAME", description: "Of this environment" },
    since: { type: "string", valueHint: "TIME", description: "Since then, or within so long: 2h, 7d" },
    latest: { type: "boolean", description: "Each node's latest alone" },
    ...shortFormOptions,
    limit: { ...shortFormOptions.limit, description: `${shortFormOptions.limit.description} (Default: 20)` },
  },
  examples: [
    "reports --status failed --since 1d --archive export.tgz",
    "reports berth-0024.tollhouse.saltmarsh.example --archive export.tgz --output csv",
  ],
  run: async ({ args }) => {
    const [{ reportsForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/reports.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(reportsForm(args), args);
  },
});
