import { text } from "node:stream/consumers";
import { CensusError } from "#storage/errors.ts";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { type AnswerPlace, answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { pageOf } from "../output/page-of.ts";
import { notedRows } from "../output/noted-rows.ts";
import type { SourceChoice } from "../sources/choice.ts";
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
      return writeAnswer(described(args.statement), place);
    }
    const { chooseSource } = await import("../sources/choice.ts");
    const choice = chooseSource("sql", args);
    const timeout = readTimeout(args.timeout);
    if (args.statement === undefined) throw new UsageError("sql: missing argument STATEMENT; see census sql --help");
    const statement = args.statement === "-" ? await text(process.stdin) : args.statement;
    const signal = AbortSignal.any([place.reader.signal, ...(timeout === undefined ? [] : [timeout])]);
    const query = { statement, inactive: args.inactive === true, signal, place };
    await (choice.kind === "url" ? runOnServer(choice, query) : runLocally(choice, query));
  },
});

interface SqlQuery {
  readonly statement: string;
  readonly inactive: boolean;
  readonly signal: AbortSignal;
  readonly place: AnswerPlace;
}

async function runLocally(choice: LocalChoice, { statement, inactive, signal, place }: SqlQuery): Promise<void> {
  const { openLocal } = await import("../sources/source.ts");
  const source = await openLocal(choice);
  try {
    const session = await source.sqlSession({ inactive });
    try {
      const noted = notedRows(await session.run(statement, { signal }));
      await writeAnswer(noted.rows, place, {
        now: () => source.now(),
        page: pageOf(source, { title: "Census SQL", query: statement }),
      });
      if (noted.isNothing()) await printWhyNothing({ text: statement, isSql: true }, source);
    } finally {
      session.close();
    }
  } finally {
    await source.close();
  }
}

async function runOnServer(choice: ServerChoice, { statement, inactive, signal, place }: SqlQuery): Promise<void> {
  const { openSource } = await import("../sources/source.ts");
  const source = await openSource(choice);
  if (source.kind !== "url") throw new Error("the source is not the one that was chosen");
  const noted = notedRows(await source.sql(statement, { inactive, signal }));
  await writeAnswer(noted.rows, place, {
    now: () => source.now(),
    page: pageOf(source, { title: "Census SQL", query: statement }),
  });
  if (noted.isNothing()) await printWhyNothing({ text: statement, isSql: true }, source);
}

type ServerChoice = Extract<SourceChoice, { kind: "url" }>;

type LocalChoice = Exclude<SourceChoice, { kind: "url" }>;

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
