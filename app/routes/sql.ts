import type { RouteTable } from "../http/route.ts";
import { notFound } from "../http/response.ts";
import { json, plain } from "../openapi/replies.ts";
import type { Operation, Parameter } from "../openapi/types.ts";
import { answerSql } from "../query/sql-answer.ts";
import type { QueryServices } from "./query.ts";

const path = "/pdb/ext/v1/sql";

/** `/pdb/ext/v1/sql`: read-only SQL over the views of the entities. An addition of Census, off by default. */
export const sqlRoutes: RouteTable<QueryServices> = {
  routes: [
    {
      path,
      anySpelling: true,
      methods: ["GET", "POST"],
      refuseMethod: () => notFound(),
      family: "query",
      metered: path,
      describe: () => ({ get: getOperation, post: postOperation }),
      handle: ({ queries }, request) =>
        answerSql(queries, request, { path, refusal: queries.settings.sql ? undefined : off }),
    },
  ],
};

const off =
  "SQL is off on this server. Set allow-sql = true in section [census] of its configuration, query it in PQL or AST " +
  "(census query), or run census sql on an export or a backup of it";

const text = { type: "string" } as const;
const parameterSchemas = {
  query: { schema: text, description: "One SELECT over the views that `docs/sql.md` lists" },
  timeout: {
    schema: { type: "number", minimum: 0 },
    description: "Seconds after which the statement is ended; the server's settings limit it",
  },
  inactive: { schema: { type: "boolean", default: false }, description: "Include deactivated and expired nodes" },
  as_of: {
    schema: { type: "string", format: "date-time" },
    description: "Answer as at this time, if changes since are recorded; default: now",
  },
};
const example = "SELECT status, count(*) AS count FROM reports GROUP BY ALL";

const operation = {
  summary: "Read-only SQL",
  description:
    "An addition of Census, for clients that the operator trusts: the setting `allow-sql` must be on. The answer is " +
    "streamed. `census sql --url` uses it.",
  responses: {
    "200": json("The rows, as objects by column", { type: "array", items: { type: "object" } }),
    "400": plain("The statement or a parameter is invalid, or the statement is not allowed"),
    "403": plain("SQL is off"),
    "500": plain("The statement took longer than it may"),
  },
} as const satisfies Operation;

const getOperation: Operation = {
  ...operation,
  parameters: Object.entries(parameterSchemas).map(([name, of]): Parameter => ({
    name,
    in: "query",
    ...of,
    ...(name === "query" ? { required: true, example } : {}),
  })),
};

const postOperation: Operation = {
  ...operation,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["query"],
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries(parameterSchemas).map(([name, { schema, description }]) => [
              name,
              { ...schema, description },
            ]),
          ),
        },
        example: { query: example },
      },
    },
  },
};
