import { text } from "node:stream/consumers";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { nowOption, readNow } from "../options.ts";
import { type OutputFormat, outputFormats } from "../output/formats.ts";
import { stdout } from "../stdout.ts";

export const query = declareCommand({
  name: "query",
  description: "Ask a question in PQL, or as AST in JSON",
  args: {
    query: { type: "positional", required: true, description: "The question; - reads it from stdin" },
    archive: { type: "string", valueHint: "FILE", description: "Ask an exported archive" },
    data: { type: "string", valueHint: "DIR", description: "Ask a data directory that no server has open" },
    url: {
      type: "string",
      valueHint: "URL",
      description: "Ask a running server (Default: $CENSUS_URL, else http://127.0.0.1:8080)",
    },
    output: {
      type: "enum",
      options: [...outputFormats],
      description: "Layout of the answer (Default: table on a terminal, json in a pipe)",
    },
    now: { ...nowOption, description: `${nowOption.description}; with --archive or --data` },
  },
  examples: [
    `query 'nodes[certname] { latest_report_status = "failed" }'`,
    `query '["from", "facts", ["=", "name", "kernel"]]' --archive export.tgz --output csv`,
    "query - --data /var/lib/census --output ndjson < question.pql",
  ],
  run: async ({ args }) => {
    const clock = readNow(args.now);
    const { askSource, chooseSource } = await import("../query/source.ts");
    const source = chooseSource({ archive: args.archive, data: args.data, url: args.url }, clock);
    const question = args.query === "-" ? await text(process.stdin) : args.query;
    if (question.trim() === "") throw new UsageError("query: the question is empty");
    const wanted: OutputFormat | undefined = args.output;
    const format = wanted ?? (process.stdout.isTTY ? "table" : "json");
    const { writers } = await import("../output/writers.ts");
    await askSource(source, question, (rows) => writers[format](rows, stdout));
  },
});
