import { clipped } from "#storage/clip.ts";
import { type Rows, rowsOfTexts } from "#storage/engine/rows.ts";
import { CensusError } from "#storage/errors.ts";
import { isMemoryScarce } from "#storage/memory/guard.ts";
import type { SqlOptions } from "#storage/sql/sql.ts";
import type { Store } from "#storage/store.ts";
import { type HttpRequest, readBody, requestSignal } from "../http/request.ts";
import { type HttpResponse, notFound, textResponse } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import { json, plain } from "../openapi/replies.ts";
import type { Operation, Parameter } from "../openapi/types.ts";
import type { OpenedRows } from "../query/admission.ts";
import { timeLimit } from "../query/settings.ts";
import { readSqlParameters } from "../query/sql-parameters.ts";
import { QueryWatch } from "../query/watch.ts";
import type { QueryContext, QueryServices } from "./query.ts";

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
      handle: ({ queries }, request) => answerReadably(queries, request),
    },
  ],
};

/** Longer than any statement that is answered, with its encoding. */
const LARGEST_BODY = 1024 * 1024;

/** Milliseconds between checks of the memory while a statement runs. */
const MEMORY_INTERVAL = 50;

const off =
  "SQL is off on this server. Set allow-sql = true in section [census] of its configuration, query it in PQL or AST " +
  "(census query), or run census sql on an export or a backup of it";

/** Answers errors in plain text, as those of queries. */
async function answerReadably(context: QueryContext, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await answer(context, request);
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textResponse(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textResponse(clipped(error.message), 500);
    throw error;
  }
}

async function answer(context: QueryContext, request: HttpRequest): Promise<HttpResponse> {
  const { store, settings, admission, onQuery } = context;
  const { message, search, response } = request;
  // A body is read to its end in any case, so that the client gets the response.
  const body = message.method === "POST" ? await readBody(request, LARGEST_BODY) : undefined;
  if (!settings.sql) return textResponse(off, 403);
  const { query, timeout, inactive } = readSqlParameters(search, body);
  const seconds = timeLimit(timeout === undefined ? {} : { timeout }, settings);
  const timed = requestSignal(request, seconds, `Query exceeded timeout of ${seconds} s`);
  const memory = scarcitySignal(request);
  const signal = AbortSignal.any([timed, memory]);
  const watch = new QueryWatch(response, settings, { text: () => query, path, origin: undefined }, onQuery);
  watch.noteStatement(query);
  const open = (): Promise<OpenedRows> => openRows(store, query, { inactive, isServed: true }, signal);
  return admission.answer(request, signal, open, { gzip: settings.gzip, pretty: settings.pretty });
}

async function openRows(store: Store, query: string, options: SqlOptions, signal: AbortSignal): Promise<OpenedRows> {
  const session = await store.sql(options);
  try {
    const batches = await session.run(query, { signal });
    return { rows: rowsOf(batches, () => session.close()) };
  } catch (error) {
    session.close();
    throw error;
  }
}

async function* rowsOf(batches: AsyncIterable<string[]>, end: () => void): AsyncGenerator<Rows> {
  try {
    for await (const texts of batches) yield rowsOfTexts(texts);
  } finally {
    end();
  }
}

/** Aborts when the process is about to have no memory left: a statement can use more than the engine counts. */
function scarcitySignal({ response }: HttpRequest): AbortSignal {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!isMemoryScarce()) return;
    clearInterval(timer);
    controller.abort(new CensusError("unavailable", "Too little memory for the statement; try again later"));
  }, MEMORY_INTERVAL).unref();
  response.once("close", () => clearInterval(timer));
  return controller.signal;
}

const text = { type: "string" } as const;
const parameterSchemas = {
  query: { schema: text, description: "One SELECT over the views that `docs/sql.md` lists" },
  timeout: {
    schema: { type: "number", minimum: 0 },
    description: "Seconds after which the statement is ended; the server's settings limit it",
  },
  inactive: { schema: { type: "boolean", default: false }, description: "Include deactivated and expired nodes" },
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
