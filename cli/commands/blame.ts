import { declareCommand } from "../command.ts";
import { answerOptions } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";

export const blame = declareCommand({
  name: "blame",
  description: "Show since when a resource is as it is: by parameter, with code version and run",
  args: {
    certname: { type: "positional", required: true, description: "Certname of the node" },
    resource: {
      type: "positional",
      required: true,
      valueHint: "RESOURCE",
      description: "TYPE[TITLE], e.g. File[/etc/motd]",
    },
    ...stateOptions,
    ...answerOptions,
  },
  examples: ["blame berth-0024.tollhouse.saltmarsh.example 'File[/etc/chrony/chrony-7.conf]' --data /var/lib/census"],
  run: async ({ args }) => {
    const [{ blameForm }, { runShortForm }] = await Promise.all([
      import("../short-forms/blame.ts"),
      import("../short-forms/run.ts"),
    ]);
    await runShortForm(blameForm(args), args);
  },
});
