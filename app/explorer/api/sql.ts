import { rowFormats, textFormatKeys } from "#storage/output/format-names.ts";
import { formatTimestamp } from "#storage/time.ts";
import { mediaRefusal } from "../../http/negotiation.ts";
import { json, plain } from "../../openapi/replies.ts";
import type { Operation } from "../../openapi/types.ts";
import { answerSql } from "../../query/sql-answer.ts";
import { attachment } from "../attachment.ts";
import { apiHeaders } from "../headers.ts";
import { textPieces } from "../row-formats.ts";
import { asOfParameter } from "./as-of.ts";
import { apiRoot, type Endpoint } from "./endpoint.ts";
import { type DescribedParameter, operations } from "./described.ts";
import { valueOf } from "./given.ts";

const off =
  "SQL is off in this explorer. Set explorer-sql = true in section [census] of its configuration, query it in PQL or AST, " +
  "or run census sql on an export or a backup of it";

/** Seconds that a statement may take: somebody waits for it. */
const MOST_SECONDS = 60;

/** One more than the workbench shows, which says so where there are more. */
const MOST_ROWS = 5001;

const parameters: readonly DescribedParameter[] = [
  {
    name: "query",
    description: "One SELECT over the views that `docs/sql.md` lists",
    schema: { type: "string" },
    required: true,
    example: "SELECT status, count(*) AS count FROM reports GROUP BY ALL",
  },
  {
    name: "timeout",
    description: "Seconds after which the statement is ended",
    schema: { type: "number", exclusiveMinimum: 0, maximum: MOST_SECONDS, default: MOST_SECONDS },
  },
  {
    name: "inactive",
    description: "Include deactivated and expired nodes",
    schema: { type: "boolean", default: false },
  },
  asOfParameter,
];

/** `sql`: the rows of a SELECT over the views of the entities, for the workbench. */
export const sql: Endpoint = {
  path: "sql",
  describe: () => {
    const { get, post } = operations(
      {
        summary: "The first rows of a SELECT",
        description: `At most ${MOST_ROWS} rows, in at most ${MOST_SECONDS} seconds, where the setting \`explorer-sql\` is on.`,
        ok: json("The rows, as objects by column", { type: "array", items: { type: "object" } }),
      },
      parameters,
    );
    return { get: refusable(get), post: refusable(post) };
  },
  handle: async ({ queries, explorer }, request) => {
    const unsupported = mediaRefusal(request.message, request.path);
    if (unsupported !== undefined) return unsupported;
    const response = await answerSql(queries, request, {
      path: `${apiRoot}/sql`,
      refusal: explorer.settings.sql ? undefined : off,
      mostSeconds: MOST_SECONDS,
      mostRows: MOST_ROWS,
    });
    return { ...response, headers: { ...response.headers, ...apiHeaders } };
  },
};

/** `sql/rows`: all rows of a SELECT as a file. */
export const sqlRows: Endpoint = {
  path: "sql/rows",
  describe: () => {
    const { get, post } = operations(
      {
        summary: "Download all rows of a SELECT",
        description: "In the time that the settings allow for queries, where the setting `explorer-sql` is on.",
        ok: {
          description: "The rows",
          headers: { "Content-Disposition": { description: "The name of the file", schema: { type: "string" } } },
          content: Object.fromEntries(
            textFormatKeys.map((format) => [rowFormats[format].type.replace(/;.*/, ""), { schema: {} }]),
          ),
        },
      },
      [
        ...parameters.filter(({ name }) => name !== "timeout"),
        {
          name: "format",
          description: "`csv-safe` is CSV in which a spreadsheet finds no formulas",
          schema: { enum: textFormatKeys },
          required: true,
          example: "ndjson",
        },
        { name: "name", description: "What the file is called, before the date", schema: { type: "string" } },
      ],
    );
    return { get: refusable(get), post: refusable(post) };
  },
  handle: async ({ queries, explorer, store }, request) =>
    answerSql(queries, request, {
      path: `${apiRoot}/sql/rows`,
      refusal: explorer.settings.sql ? undefined : off,
      file: {
        parameters: ["format", "name"],
        options: (query, { format: wanted, name }) => {
          const format = valueOf("format", wanted, textFormatKeys);
          const now = store.clock.now();
          const title = typeof name === "string" ? name : "rows";
          const page = {
            title,
            source: explorer.source.name || undefined,
            time: formatTimestamp(now),
            query,
          };
          const { type, extension } = rowFormats[format];
          return {
            headers: { ...apiHeaders, "content-type": type, "content-disposition": attachment(title, now, extension) },
            pieces: textPieces(format, undefined, page),
          };
        },
      },
    }),
};

function refusable(operation: Operation | undefined): Operation {
  if (operation === undefined) throw new Error("both methods are described");
  return { ...operation, responses: { ...operation.responses, "403": plain("SQL is off") } };
}
