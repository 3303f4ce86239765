import type { AboutPage } from "#storage/output/html/page.ts";
import { declareCommand } from "../command.ts";
import type { ComparisonArguments } from "../diff/comparison.ts";
import { withExitCode } from "../errors.ts";
import { outputOption } from "../options.ts";
import { pagerOption } from "../output/answer.ts";
import { sourceName } from "../output/page-of.ts";
import { stateOptions } from "../sources/options.ts";

export const diff = declareCommand({
  name: "diff",
  description: "Compare two archives or servers, two times, two nodes, or two reports",
  args: {
    from: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description: "Archive, data directory or URL; with --archive, --data, --url or --since: certname or report hash",
    },
    to: {
      type: "positional",
      required: false,
      valueHint: "FILE",
      description: "What to compare it with, of the same kind",
    },
    node: {
      type: "positional",
      required: false,
      valueHint: "CERTNAME",
      description:
        "Of two sources, compare this node only, with its latest report; OLD=NEW if it was renamed; repeatable",
    },
    ...stateOptions,
    since: {
      type: "string",
      valueHint: "TIME",
      description: "Since TIME or in the last DURATION (2h, 7d): what has changed of one source",
    },
    until: {
      type: "string",
      valueHint: "TIME",
      description: "Before TIME, or before the last DURATION; needs --since",
    },
    only: {
      type: "string",
      valueHint: "PARTS",
      description: "Compare these parts only, of facts,packages,resources,edges,reports",
    },
    ignore: {
      type: "string",
      valueHint: "PART:PATTERN",
      repeats: true,
      description:
        "Ignore differences at paths that match, e.g. 'facts:networking.*' or 'resources:File[*]::mode'; repeatable",
    },
    "ignore-parameter": {
      type: "string",
      valueHint: "NAMES",
      repeats: true,
      description: "Ignore these parameters of all resources; repeatable",
    },
    "ignore-tags": { type: "boolean", description: "Ignore the tags of resources" },
    locations: { type: "boolean", description: "Compare the file and line of resources too" },
    volatile: {
      type: "boolean",
      description: "Show differences that are always there too, e.g. uptimes and durations",
    },
    summary: { type: "boolean", description: "Show one line per node, then the differences that several nodes share" },
    output: { ...outputOption("tree", "json", "html"), description: "Output format (default: tree)" },
    ...pagerOption,
    "exit-code": { type: "boolean", description: "Exit with 1 if anything differs, with 2 on errors" },
  },
  readsPaths: true,
  repeats: true,
  refuses: { node: "nodes are arguments after the two sources, e.g. census diff old.tgz new.tgz web-01" },
  examples: [
    "diff old.tgz new.tgz --summary",
    "diff old.tgz new.tgz berth-0024.tollhouse.saltmarsh.example --ignore 'facts:networking.*'",
    "diff --archive export.tgz berth-0024.tollhouse.saltmarsh.example berth-0033.tollhouse.saltmarsh.example --only resources",
    "diff old.tgz new.tgz --only facts,resources --exit-code --output json",
    "diff berth-0024.tollhouse.saltmarsh.example --since 2d --data /var/lib/census",
    "diff --since '2026-11-18 12:00' --until '2026-11-19 12:00' --summary --data /var/lib/census",
  ],
  run: async ({ args, lists }) =>
    withExitCode(args["exit-code"], async () => {
      const [{ readComparison }, { readChoices }, { runComparison }, writers, output, { hasColours }] =
        await Promise.all([
          import("../diff/comparison.ts"),
          import("../diff/choices.ts"),
          import("../diff/run.ts"),
          import("../diff/writers.ts"),
          import("../output/answer.ts"),
          import("../colours.ts"),
        ]);
      const comparison = readComparison(args._, args);
      const options = readChoices({
        only: args.only,
        ignore: lists["ignore"] ?? [],
        ignoreParameter: lists["ignore-parameter"] ?? [],
        ignoreTags: args["ignore-tags"] ?? false,
        locations: args.locations ?? false,
        volatile: args.volatile ?? false,
      });
      const place = output.textPlace({ pager: args.pager });
      const isShort = args.summary ?? false;
      const look = output.lookOf(place);
      const layout = {
        coloured: hasColours(process.stdout),
        columns: look.terminal?.columns ?? Number.POSITIVE_INFINITY,
      };
      let differs = false;
      await output.writeText(place, async (to) => {
        if (args.output === "html") {
          const { writePage } = await import("../output/text-page.ts");
          const onPaper = { coloured: false, columns: Number.POSITIVE_INFINITY };
          await writePage(to, pageOfDiff(args._, args), async (lines) => {
            differs = await runComparison(comparison, options, writers.treeWriter(lines, onPaper, isShort));
          });
          return;
        }
        const writer =
          args.output === "json" ? writers.jsonWriter(to, isShort) : writers.treeWriter(to, layout, isShort);
        differs = await runComparison(comparison, options, writer);
      });
      return differs;
    }),
});

/** The title names the two sources, two nodes or reports of one, or two times. */
function pageOfDiff(words: readonly string[], args: ComparisonArguments): AboutPage {
  const { archive, data, url, urls, since, until } = args;
  const file = archive ?? data;
  const hasSource = [file, url, urls, since].some((given) => given !== undefined);
  const what = (hasSource ? words : words.map(sourceName)).join(" and ");
  const times = since === undefined ? "" : ` since ${since}${until === undefined ? "" : ` until ${until}`}`;
  return {
    title: `Comparison of ${what === "" ? "all nodes" : what}${times}`,
    source: file === undefined ? (url ?? urls) : sourceName(file),
  };
}
