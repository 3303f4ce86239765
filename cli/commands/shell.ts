import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { type TextFormat, textFormats } from "../output/formats.ts";
import { stateOptions } from "../sources/options.ts";

export const shell = declareCommand({
  name: "shell",
  description: "Run queries at a prompt with completion, or as a script",
  args: {
    ...stateOptions,
    output: outputOption(...textFormats),
    history: {
      type: "boolean",
      default: true,
      description: "Keep a history of queries",
      negativeDescription: "Do not read or write the query history",
    },
  },
  examples: ["shell export.tgz", "shell --url http://127.0.0.1:8080", "shell --data /var/lib/census < questions.pql"],
  run: async ({ args }) => {
    const layout: TextFormat | undefined = args.output;
    const { runShell } = await import("../shell/shell.ts");
    return runShell(args, { layout, remembers: args.history });
  },
});
