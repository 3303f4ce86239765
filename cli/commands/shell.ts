import { declareCommand } from "../command.ts";
import { outputOption } from "../options.ts";
import { type TextFormat, textFormats } from "../output/formats.ts";
import { sourceOptions } from "../sources/options.ts";

export const shell = declareCommand({
  name: "shell",
  description: "Ask questions one after the other at a prompt, with completion; from a pipe or a file, as a script",
  args: {
    source: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description: "An archive, a data directory or the address of a server; without one, as the options say",
    },
    ...sourceOptions,
    output: outputOption(...textFormats),
    history: {
      type: "boolean",
      default: true,
      description: "Remember what was asked",
      negativeDescription: "Neither read nor write the file of what was asked before",
    },
  },
  examples: ["shell export.tgz", "shell --url http://127.0.0.1:8080", "shell --data /var/lib/census < questions.pql"],
  run: async ({ args }) => {
    const layout: TextFormat | undefined = args.output;
    const { runShell } = await import("../shell/shell.ts");
    return runShell(args, { word: args.source, layout, remembers: args.history });
  },
});
