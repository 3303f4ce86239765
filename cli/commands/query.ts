import { text } from "node:stream/consumers";
import { declareCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { printWhyNothing } from "../names/why-nothing.ts";
import { answerOptions, answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { notedRows } from "../output/noted-rows.ts";
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
    const [{ chooseSource }, { withSource }] = await Promise.all([
      import("../sources/choice.ts"),
      import("../sources/source.ts"),
    ]);
    const choice = chooseSource("query", args);
    const place = answerPlace(args);
    const paging = readPaging(args);
    const query = args.query === "-" ? await text(process.stdin) : args.query;
    if (query.trim() === "") throw new UsageError("query: the query is empty");
    // Check the query before opening a source; servers check it themselves.
    if (choice.kind !== "url") (await import("../sources/query-text.ts")).astOrPql(query);
    const isLimited = paging.limit !== undefined || paging.offset !== undefined;
    const withTotal = isLimited && (place.format === "table" || place.format === "html");
    const explain = args.explain === true;
    await withSource(choice, undefined, async (source) => {
      const options = { paging, signal: place.reader.signal, explain, withTotal: withTotal && !explain };
      const { rows, total } = await source.query(query, options);
      if (explain) return writeAnswer((await import("../explain/costs.ts")).costs(rows), place);
      const noted = notedRows(rows);
      const about = aboutResult(source, { title: "Census query", query });
      await writeAnswer(noted.rows, place, { ...about, total: () => total });
      if (noted.isNothing()) await printWhyNothing({ text: query, isSql: false }, source);
    });
  },
});
