import { text } from "node:stream/consumers";
import { CensusError } from "#storage/errors.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readSeconds } from "../options.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowsOf } from "../output/rows.ts";
import { notedRows } from "../output/noted-rows.ts";
import { stateOptions } from "../sources/options.ts";

export const sql = declareCommand({
  name: "sql",
  description: "Run a SQL query on read-only views of the entities",
  args: {
    statement: {
      type: "positional",
      required: false,
      description: "SELECT statement; - reads it from stdin; with --describe, the name of a view",
    },
    ...stateOptions,
    inactive: { type: "boolean", description: "Include deactivated and expired nodes" },
    timeout: { type: "string", valueHint: "SECONDS", description: "Time limit (default: none)" },
    describe: { type: "boolean", description: "List the views, or the columns of one" },
    ...answerOptions,
  },
  examples: [
    "sql 'SELECT type, count(*) FROM resources GROUP BY type ORDER BY 2 DESC LIMIT 5' --archive export.tgz",
    "sql --describe",
    "sql --describe nodes",
    "sql - --data /var/lib/census --out runs.parquet < runs.sql",
    "sql 'SELECT count(*) AS nodes FROM nodes' --url http://127.0.0.1:8080",
  ],
  run: async ({ args }) => {
    const place = answerPlace(args);
    if (args.describe === true) {
      const { described } = await import("../sql/described.ts");
      return writeAnswer(rowsOf(described(args.statement)), place);
    }
    const { chooseSource } = await import("../sources/choice.ts");
    const choice = chooseSource("sql", args);
    const timeout = readTimeout(args.timeout);
    if (args.statement === undefined) throw new UsageError("sql: missing argument STATEMENT; see census sql --help");
    const statement = args.statement === "-" ? await text(process.stdin) : args.statement;
    const signal = AbortSignal.any([place.reader.signal, ...(timeout === undefined ? [] : [timeout])]);
    const { withSource } = await import("../sources/source.ts");
    await withSource(choice, undefined, async (source) => {
      const noted = notedRows(await source.sql(statement, { inactive: args.inactive === true, signal }));
      await writeAnswer(noted.rows, place, aboutResult(source, { title: "Census SQL", query: statement }));
      if (noted.isNothing()) await printWhyNothing({ text: statement, isSql: true }, source);
    });
  },
});

function readTimeout(text: string | undefined): AbortSignal | undefined {
  if (text === undefined) return undefined;
  const seconds = readSeconds("--timeout", text);
  const controller = new AbortController();
  const error = new CensusError("timeout", `the query took longer than ${text} s`);
  setTimeout(() => controller.abort(error), seconds * 1000).unref();
  return controller.signal;
}
