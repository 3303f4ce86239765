import { text } from "node:stream/consumers";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { pageOf } from "../output/page-of.ts";
import { notedRows } from "../output/noted-rows.ts";
import type { Answer, OpenSource } from "../sources/open-source.ts";
import { stateOptions } from "../sources/options.ts";
import { pagingOptions, readPaging } from "../sources/paging.ts";

export const query = declareCommand({
  name: "query",
  description: "Run a query in PQL or AST",
  args: {
    query: { type: "positional", required: true, description: "Query in PQL, or AST as JSON; - reads it from stdin" },
    ...pagingOptions,
    ...stateOptions,
    explain: { type: "boolean", description: "Show the cost of each step instead of the result", group: "output" },
    ...answerOptions,
  },
  examples: [
    `query 'nodes[certname] { latest_report_status = "failed" }'`,
    `query '["from", "facts", ["=", "name", "kernel"]]' --archive export.tgz --output csv`,
    `query --explain 'resources[type, count()] { group by type }'`,
    "query 'reports[certname, end_time] {}' --order-by 'end_time desc' --limit 10 --archive export.tgz",
    "query - --data /var/lib/census --output ndjson < query.pql",
  ],
  run: async ({ args }) => {
    const [{ chooseSource }, { queryOnce }] = await Promise.all([
      import("../sources/choice.ts"),
      import("../sources/source.ts"),
    ]);
    const source = chooseSource("query", args);
    const place = answerPlace(args);
    const paging = readPaging(args);
    const query = args.query === "-" ? await text(process.stdin) : args.query;
    if (query.trim() === "") throw new UsageError("query: the query is empty");
    const options = { paging, signal: place.reader.signal };
    if (args.explain === true) {
      const { costs } = await import("../explain/costs.ts");
      return queryOnce(source, query, ({ rows }) => writeAnswer(costs(rows), place), { ...options, explain: true });
    }
    const isLimited = paging.limit !== undefined || paging.offset !== undefined;
    const withTotal = isLimited && (place.format === "table" || place.format === "html");
    const write = async ({ rows, total }: Answer, opened: OpenSource): Promise<void> => {
      const noted = notedRows(rows);
      await writeAnswer(noted.rows, place, {
        now: () => opened.now(),
        total: () => total,
        page: pageOf(opened, { title: "Census query", query }),
      });
      if (noted.isNothing()) await printWhyNothing({ text: query, isSql: false }, opened);
    };
    return queryOnce(source, query, write, { ...options, withTotal });
  },
});
