import { declareCommand } from "../command.ts";
import { exitCodeOf, reportError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { sourceOptions } from "../sources/options.ts";
import { stdout } from "../stdout.ts";

export const diff = declareCommand({
  name: "diff",
  description: "Show what differs between two archives or servers, two nodes or two reports",
  args: {
    from: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description:
        "An archive, data directory or URL; with --archive, --data or --url a certname or the hash of a report",
    },
    to: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description: "What it is compared with, of the same kind",
    },
    ...sourceOptions,
    node: {
      type: "string",
      valueHint: "CERTNAME",
      description:
        "Of two sources compare this node alone, its latest report in full; OLD=NEW if it was renamed; may be repeated",
    },
    only: { type: "string", valueHint: "PARTS", description: "Some of facts,resources,edges,reports" },
    ignore: {
      type: "string",
      valueHint: "PART:PATTERN",
      description:
        "Leave out places that match, such as 'facts:networking.*' or 'resources:File[*]::mode'; may be repeated",
    },
    "ignore-parameter": {
      type: "string",
      valueHint: "NAMES",
      description: "Leave out these parameters of all resources; may be repeated",
    },
    "ignore-tags": { type: "boolean", description: "Leave out the tags of resources" },
    locations: { type: "boolean", description: "Compare where in the code resources are declared as well" },
    volatile: { type: "boolean", description: "Show what always differs as well, such as uptimes and durations" },
    summary: { type: "boolean", description: "A line for each node, and what several have in common" },
    output: { ...outputOption("tree", "json"), description: "Layout of the answer (Default: tree)" },
    "exit-code": { type: "boolean", description: "End with 1 if anything differs, and with 2 after an error" },
  },
  examples: [
    "diff old.tgz new.tgz --summary",
    "diff old.tgz new.tgz --node berth-0024.tollhouse.saltmarsh.example --ignore 'facts:networking.*'",
    "diff --archive export.tgz berth-0024.tollhouse.saltmarsh.example berth-0033.tollhouse.saltmarsh.example --only resources",
    "diff old.tgz new.tgz --only facts,resources --exit-code --output json",
  ],
  run: async ({ args, rawArgs }) => {
    try {
      const [{ readComparison }, { readChoices }, { repeated }, { runComparison }, writers, { hasColours }] =
        await Promise.all([
          import("../diff/comparison.ts"),
          import("../diff/choices.ts"),
          import("../diff/repeated.ts"),
          import("../diff/run.ts"),
          import("../diff/writers.ts"),
          import("../colours.ts"),
        ]);
      const comparison = readComparison(args._, args, repeated(rawArgs, "node"));
      const options = readChoices({
        only: args.only,
        ignore: repeated(rawArgs, "ignore"),
        ignoreParameter: repeated(rawArgs, "ignore-parameter"),
        ignoreTags: args["ignore-tags"] ?? false,
        locations: args.locations ?? false,
        volatile: args.volatile ?? false,
      });
      const isShort = args.summary ?? false;
      const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
      const layout = { coloured: hasColours(process.stdout), columns };
      const writer =
        args.output === "json" ? writers.jsonWriter(stdout, isShort) : writers.treeWriter(stdout, layout, isShort);
      const differs = await runComparison(comparison, options, writer);
      return differs && args["exit-code"] === true ? 1 : 0;
    } catch (error) {
      // 1 says that something differs.
      if (args["exit-code"] !== true || exitCodeOf(error) === 0) throw error;
      reportError(error);
      return 2;
    }
  },
});
