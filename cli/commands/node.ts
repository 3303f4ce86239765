import type { Json } from "#storage/json.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { answerOptions, answerPlace, lookOf, writeText } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";

const { out, pager } = answerOptions;

/** Columns of a line where there is no terminal. */
const WIDTH = 100;

export const node = declareCommand({
  name: "node",
  description: "Show a node: state and why, failures, latest runs, main facts, classes",
  args: {
    certname: { type: "positional", required: true, description: "Certname, or its beginning up to a dot" },
    ...stateOptions,
    output: outputOption("table", "json"),
    out,
    pager,
  },
  examples: [
    "node berth-0024 --archive export.tgz",
    "node berth-0024.tollhouse.saltmarsh.example --archive export.tgz --output json",
  ],
  run: async ({ args }) => {
    const [{ chooseSource }, { openSource }, { rowReader }, { namedNode }, { nodePage }, { stringifyJson }] =
      await Promise.all([
        import("../sources/choice.ts"),
        import("../sources/source.ts"),
        import("../sources/read-rows.ts"),
        import("../node/named-node.ts"),
        import("../node/page.ts"),
        import("#storage/json.ts"),
      ]);
    const choice = chooseSource("node", args);
    const place = answerPlace(args);
    if (place.format !== "table" && place.format !== "json") {
      throw new UsageError(`node: --out ${args.out}: a node is written as a table or as JSON; add --output`);
    }
    const source = await openSource(choice);
    try {
      const summary = await namedNode(args.certname, rowReader(source), () => source.now());
      const { terminal } = lookOf(place);
      const layout = {
        width: terminal?.columns ?? WIDTH,
        isColoured: terminal?.isColoured ?? false,
        now: new Date(Number((await source.now()) / 1000n)),
      };
      await writeText(place, (output) =>
        output.write(place.format === "table" ? nodePage(summary, layout) : `${stringifyJson(jsonOf(summary))}\n`),
      );
    } finally {
      await source.close();
    }
  },
});

function jsonOf(summary: object): Json {
  return summary as Json;
}
