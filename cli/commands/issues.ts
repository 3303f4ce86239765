import { issueKinds } from "#storage/issues/issue.ts";
import { declareCommand } from "../command.ts";
import { withExitCode } from "../errors.ts";
import { answerOptions } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";

export const issues = declareCommand({
  name: "issues",
  description: "List what fails, the same failure on all nodes as one issue; or one issue's nodes",
  args: {
    issue: { type: "positional", required: false, description: "Id of an issue, or its beginning: list its nodes" },
    node: { type: "string", valueHint: "CERTNAME", description: "Issues of this node, counted over all nodes" },
    new: { type: "boolean", description: "Only new ones: first seen in the last 24 hours, or back after as long" },
    still: { type: "boolean", description: "Only those that a node has in its latest run" },
    failure: { type: "enum", options: [...issueKinds], description: "Only failures of this kind" },
    since: {
      type: "string",
      valueHint: "TIME",
      default: "24h",
      description: "Since TIME or in the last DURATION (2h, 7d): failures of that time",
    },
    ...stateOptions,
    ...answerOptions,
    "exit-code": { type: "boolean", description: "Exit with 1 if any issue is listed, with 2 on errors" },
  },
  examples: [
    "issues --archive export.tgz",
    "issues --new --exit-code --archive export.tgz",
    "issues --since 7d --still --output json --archive export.tgz",
    "issues --failure catalog --archive export.tgz",
  ],
  run: async ({ args }) =>
    withExitCode(args["exit-code"], async () => {
      const { runIssues } = await import("../issues/run.ts");
      return (await runIssues(args)) > 0;
    }),
});
