import { clipped } from "#storage/clip.ts";
import { type Rows, rowsOfTexts } from "#storage/engine/rows.ts";
import { CensusError } from "#storage/errors.ts";
import { isMemoryScarce } from "#storage/memory/guard.ts";
import type { Store } from "#storage/store.ts";
import { type HttpRequest, readBody, requestSignal } from "../http/request.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import type { QueryContext } from "../routes/query.ts";
import type { OpenedRows } from "./admission.ts";
import type { RowsOptions } from "../http/rows-response.ts";
import { timeLimit } from "./settings.ts";
import { readSqlParameters, type SqlParameters } from "./sql-parameters.ts";
import { QueryWatch } from "./watch.ts";

/** Longer than any statement that is answered, with its encoding. */
const LARGEST_BODY = 1024 * 1024;

/** Milliseconds between checks of the memory while a statement runs. */
const MEMORY_INTERVAL = 50;

/** Where a statement was sent to, and what bounds it there besides the settings. */
export interface SqlBounds {
  /** For the log. */
  readonly path: string;
  /** Why SQL is off; undefined: it is on. */
  readonly refusal: string | undefined;
  /** Seconds that a statement may take; default: as the settings say. */
  readonly mostSeconds?: number;
  /** Rows that are returned at most; default: all. */
  readonly mostRows?: number;
  /** How the rows are written; default: as JSON. */
  readonly file?: SqlFile;
}

/** The rows of a statement as a file. */
export interface SqlFile {
  /** Parameters that the endpoint has besides. */
  readonly parameters: readonly string[];
  /** @throws CensusError "bad-input" when a parameter is invalid */
  readonly options: (query: string, given: SqlParameters["others"]) => Pick<RowsOptions, "headers" | "pieces">;
}

/** Answers a request with the rows of its SELECT. Errors are plain text, as those of queries. */
export async function answerSql(context: QueryContext, request: HttpRequest, bounds: SqlBounds): Promise<HttpResponse> {
  try {
    return await answer(context, request, bounds);
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textResponse(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textResponse(clipped(error.message), 500);
    throw error;
  }
}

async function answer(
  context: QueryContext,
  request: HttpRequest,
  { path, refusal, mostSeconds = Infinity, mostRows = Infinity, file }: SqlBounds,
): Promise<HttpResponse> {
  const { store, settings, admission, onQuery } = context;
  const { message, search, response } = request;
  // A body is read to its end in any case, so that the client gets the response.
  const body = message.method === "POST" ? await readBody(request, LARGEST_BODY) : undefined;
  if (refusal !== undefined) return textResponse(refusal, 403);
  const { query, timeout, inactive, asOf, others } = readSqlParameters(search, body, file?.parameters);
  const written = file?.options(query, others);
  const allowed = timeLimit(timeout === undefined ? {} : { timeout }, settings);
  // 0 is no limit.
  const seconds = allowed === 0 && mostSeconds < Infinity ? mostSeconds : Math.min(allowed, mostSeconds);
  const timed = requestSignal(request, seconds, `Query exceeded timeout of ${seconds} s`);
  const memory = scarcitySignal(request);
  const signal = AbortSignal.any([timed, memory]);
  const watch = new QueryWatch(response, settings, { text: () => query, path, origin: undefined }, onQuery);
  watch.noteStatement(query);
  const open = (): Promise<OpenedRows> => openRows(store, query, { inactive, asOf, mostRows }, signal);
  return admission.answer(request, signal, open, { gzip: settings.gzip, pretty: settings.pretty, ...written });
}

async function openRows(
  store: Store,
  query: string,
  { inactive, asOf, mostRows }: Pick<SqlParameters, "inactive" | "asOf"> & { readonly mostRows: number },
  signal: AbortSignal,
): Promise<OpenedRows> {
  const session = await store.sql({ inactive, asOf, isServed: true });
  try {
    const batches = await session.run(query, { signal });
    return { rows: rowsOf(batches, mostRows, () => session.close()) };
  } catch (error) {
    session.close();
    throw error;
  }
}

async function* rowsOf(batches: AsyncIterable<string[]>, most: number, end: () => void): AsyncGenerator<Rows> {
  let left = most;
  try {
    for await (const texts of batches) {
      yield rowsOfTexts(texts.length > left ? texts.slice(0, left) : texts);
      left -= texts.length;
      if (left <= 0) return;
    }
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
