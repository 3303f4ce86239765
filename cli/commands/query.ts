import { text } from "node:stream/consumers";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { type OutputFormat, outputFormats } from "../output/formats.ts";
import { sourceOptions } from "../sources/options.ts";
import { stdout } from "../stdout.ts";

export const query = declareCommand({
  name: "query",
  description: "Ask a question in PQL, or as AST in JSON",
  args: {
    query: { type: "positional", required: true, description: "The question; - reads it from stdin" },
    ...sourceOptions,
    output: outputOption(...outputFormats),
  },
  examples: [
    `query 'nodes[certname] { latest_report_status = "failed" }'`,
    `query '["from", "facts", ["=", "name", "kernel"]]' --archive export.tgz --output csv`,
    "query - --data /var/lib/census --output ndjson < question.pql",
  ],
  run: async ({ args }) => {
    const [{ chooseSource }, { askOnce }] = await Promise.all([
      import("../sources/choice.ts"),
      import("../sources/source.ts"),
    ]);
    const source = chooseSource("query", args);
    const question = args.query === "-" ? await text(process.stdin) : args.query;
    if (question.trim() === "") throw new UsageError("query: the question is empty");
    const wanted: OutputFormat | undefined = args.output;
    const format = wanted ?? (process.stdout.isTTY ? "table" : "json");
    const { writers } = await import("../output/writers.ts");
    await askOnce(source, question, (rows) => writers[format](rows, stdout));
  },
});
