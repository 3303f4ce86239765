import { promisify } from "node:util";
import { gunzipSync, gzip as gzipAtOnce, type InputType, type ZlibOptions } from "node:zlib";
import { clipped } from "#storage/clip.ts";
import { CensusError } from "#storage/errors.ts";
import { acceptsGzip } from "../../http/accept.ts";
import { mediaRefusal } from "../../http/negotiation.ts";
import { type HttpRequest, requestSignal } from "../../http/request.ts";
import { contentType, type HttpResponse, textResponse, vary } from "../../http/response.ts";
import { timeLimit } from "../../query/settings.ts";
import { apiHeaders } from "../headers.ts";
import type { ExplorerServices } from "../services.ts";

const gzip = promisify<InputType, ZlibOptions, Buffer>(gzipAtOnce);

/** Higher levels take more time than they save. */
const GZIP_LEVEL = 4;

/**
 * Answers a request of the explorer's pages, with errors in plain text as the query API has them.
 * @param work its signal aborts when the client disconnects, or the time limit of queries is up
 */
export async function answerReadably(
  services: ExplorerServices,
  request: HttpRequest,
  work: (signal: AbortSignal) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return mediaRefusal(request.message, request.path) ?? answerInAnyFormat(services, request, work);
}

/** The same for links that a browser follows, which accept other formats than JSON. */
export async function answerInAnyFormat(
  { queries: { settings } }: ExplorerServices,
  request: HttpRequest,
  work: (signal: AbortSignal) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const seconds = timeLimit({}, settings);
  try {
    return await work(requestSignal(request, seconds, `The request exceeded the timeout of ${seconds} s`));
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-input") return textResponse(clipped(error.message));
    if (error instanceof CensusError && error.code === "timeout") return textResponse(clipped(error.message), 500);
    throw error;
  }
}

/**
 * Answers with a JSON object and the store's `revision`. The answer is kept while the store stays as it is.
 * @param key the endpoint and its parameters, and where the answer depends on the time, the time, rounded to what it is worth
 * @param make the object; runs when there is a place for a query
 */
export async function keptAnswer(
  services: ExplorerServices,
  request: HttpRequest,
  key: string,
  signal: AbortSignal,
  make: (signal: AbortSignal) => Promise<object>,
): Promise<HttpResponse> {
  const { store, explorer, queries } = services;
  const { revision } = store;
  const zipped = await explorer.kept.get(
    key,
    revision,
    async (working) => {
      const content = await queries.admission.run(working, () => make(working));
      return gzip(JSON.stringify({ revision, ...content }), { level: GZIP_LEVEL });
    },
    signal,
  );
  const isZipped = queries.settings.gzip && acceptsGzip(request.message);
  return {
    status: 200,
    headers: {
      ...apiHeaders,
      "content-type": contentType.json,
      vary,
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    },
    body: isZipped ? zipped : gunzipSync(zipped),
  };
}
