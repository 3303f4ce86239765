import { declareCommand } from "../command.ts";
import { answerOptions } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";
import { limitOption } from "../sources/paging.ts";

export const log = declareCommand({
  name: "log",
  description: "List recorded changes of a node, fact, package or resource, newest first",
  args: {
    of: {
      type: "positional",
      required: true,
      description: "Certname, fact or path of a fact, package, or TYPE[TITLE]",
    },
    certname: { type: "positional", required: false, description: "On this node only" },
    since: { type: "string", valueHint: "TIME", description: "Since TIME or in the last DURATION (2h, 7d)" },
    ...stateOptions,
    ...answerOptions,
    limit: limitOption,
  },
  examples: [
    "log berth-0024.tollhouse.saltmarsh.example --since 2d --data /var/lib/census",
    "log os.release.full --data /var/lib/census",
    "log 'File[/etc/chrony/chrony-7.conf]' --since 4w --output ndjson --data /var/lib/census",
  ],
  run: async ({ args }) => {
    const [{ logForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/log.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(logForm(args), args);
  },
});
