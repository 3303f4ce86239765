import { text } from "node:stream/consumers";
import { CensusError } from "#storage/errors.ts";
import type { Timestamp } from "#storage/time.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import type { SourceChoice } from "../sources/choice.ts";
import { type SourceArguments, sourceOptions } from "../sources/options.ts";

const { archive, data, cache, now } = sourceOptions;

export const sql = declareCommand({
  name: "sql",
  description: "Run a SQL query on read-only views of the entities",
  args: {
    statement: {
      type: "positional",
      required: false,
      description: "SELECT statement; - reads it from stdin; with --describe, the name of a view",
    },
    source: { type: "positional", required: false, description: "Archive or data directory" },
    archive,
    data,
    cache,
    now,
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
  ],
  run: async ({ args }) => {
    const place = answerPlace(args);
    if (args.describe === true) {
      const { described } = await import("../sql/described.ts");
      return writeAnswer(described(args.statement), place);
    }
    const choice = await chooseLocal(args);
    const signal = readTimeout(args.timeout);
    if (args.statement === undefined) throw new UsageError("sql: missing argument STATEMENT; see census sql --help");
    const statement = args.statement === "-" ? await text(process.stdin) : args.statement;
    const { openLocal } = await import("../sources/source.ts");
    const source = await openLocal(choice);
    try {
      const session = await source.store.sql({ inactive: args.inactive === true });
      try {
        const until = AbortSignal.any([place.reader.signal, ...(signal === undefined ? [] : [signal])]);
        const now = (): Promise<Timestamp> => source.now();
        await writeAnswer(await session.run(statement, { signal: until }), place, { now });
      } finally {
        session.close();
      }
    } finally {
      await source.close();
    }
  },
});

type LocalChoice = Exclude<SourceChoice, { kind: "url" }>;

/** @throws UsageError where a server is meant, or nothing */
async function chooseLocal(args: SourceArguments & { source?: string | undefined }): Promise<LocalChoice> {
  const { chooseSource } = await import("../sources/choice.ts");
  if (args.source === undefined && args.archive === undefined && args.data === undefined) {
    throw new UsageError("sql: missing source; use --archive or --data, or query a server with census query");
  }
  const choice = chooseSource("sql", args, args.source);
  if (choice.kind !== "url") return choice;
  throw new UsageError("sql: a server accepts only PQL and AST; use census query, or export an archive of it");
}

function readTimeout(seconds: string | undefined): AbortSignal | undefined {
  if (seconds === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(seconds) || Number(seconds) === 0) {
    throw new UsageError(`--timeout must be a number of seconds above 0, not ${JSON.stringify(seconds)}`);
  }
  const controller = new AbortController();
  const error = new CensusError("timeout", `the query took longer than ${seconds} s`);
  setTimeout(() => controller.abort(error), Number(seconds) * 1000).unref();
  return controller.signal;
}
