import { documentKinds } from "#storage/archive/document-kinds.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { answerOptions, answerPlace, lookOf, writeAnswer, writeText } from "../output/answer.ts";
import { aboutResult, pageOf } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { stateOptions } from "../sources/options.ts";

/** Columns of a line where there is no terminal. */
const WIDTH = 100;

export const node = declareCommand({
  name: "node",
  description: "Show a node: state and why, failures, latest runs, main facts, classes",
  args: {
    certname: { type: "positional", required: true, description: "Certname, or its beginning up to a dot" },
    against: {
      type: "string",
      valueHint: "PATTERN",
      description: "What to compare with: other nodes, e.g. 'web-*'; shows what sets the node apart from all of them",
    },
    ...stateOptions,
    ...answerOptions,
  },
  examples: [
    "node berth-0024 --archive export.tgz",
    "node berth-0024.tollhouse.saltmarsh.example --archive export.tgz --output json",
    "node berth-0024 --against 'berth-*' --archive export.tgz",
  ],
  run: async ({ args }) => {
    const [{ chooseSource }, { withSource }, { rowReader }, { namedNode }, { nodePage }, { formatTimestamp }] =
      await Promise.all([
        import("../sources/choice.ts"),
        import("../sources/source.ts"),
        import("../sources/read-rows.ts"),
        import("../node/summary.ts"),
        import("../node/page.ts"),
        import("#storage/time.ts"),
      ]);
    const choice = chooseSource("node", args);
    const place = answerPlace(args);
    const { format } = place;
    if (args.against === undefined && format !== "table" && format !== "json" && format !== "html") {
      throw new UsageError(`node: a node is written as a table, JSON or HTML, not as ${format}`);
    }
    return withSource(choice, documentKinds, async (source) => {
      const summary = await namedNode(args.certname, rowReader(source), source);
      if (args.against !== undefined) {
        const { outliers } = await import("../node/outliers.ts");
        const found = await outliers(summary.certname, args.against, rowReader(source, place.reader.signal));
        const title = `${summary.certname} against ${args.against}`;
        return writeAnswer(rowsOf(found), place, aboutResult(source, { title }));
      }
      const time = await source.now();
      const { terminal } = lookOf(place);
      const layout = {
        width: format === "html" ? WIDTH : (terminal?.columns ?? WIDTH),
        isColoured: format !== "html" && (terminal?.isColoured ?? false),
        now: new Date(Number(time / 1000n)),
      };
      return writeText(place, async (output) => {
        if (format === "json") return output.write(`${JSON.stringify(summary)}\n`);
        const text = nodePage(summary, layout);
        if (format === "table") return output.write(text);
        const { writePage } = await import("../output/text-page.ts");
        const page = pageOf(source, { title: summary.certname, time: formatTimestamp(time) });
        return writePage(output, page, (to) => to.write(text));
      });
    });
  },
});
