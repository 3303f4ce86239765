import { promisify } from "node:util";
import { gunzipSync, gzip as gzipAtOnce, type InputType, type ZlibOptions } from "node:zlib";
import { clipped } from "#storage/clip.ts";
import { CensusError } from "#storage/errors.ts";
import type { Plan } from "#storage/query/query.ts";
import { acceptsGzip } from "../../http/accept.ts";
import { mediaRefusal } from "../../http/negotiation.ts";
import { type HttpRequest, requestSignal } from "../../http/request.ts";
import { contentType, type HttpResponse, textResponse, vary } from "../../http/response.ts";
import { timeLimit } from "../../query/settings.ts";
import { apiHeaders } from "../headers.ts";
import type { KeptAnswer, KeptAnswers } from "../kept-answers.ts";
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

/** The key of a cached answer. */
export interface AnswerKey {
  /** The endpoint, its parameters, and where the answer depends on the time, the time, rounded to the accuracy that is needed. */
  readonly key: string;
  /** The plan of the present state whose rows it is made of, and nothing else; absent: anything that is stored. */
  readonly plan?: Plan | undefined;
}

/**
 * Answers with a JSON object and the store's `revision`. The answer is cached while the data it is made of are unchanged.
 * @param make the object; runs when there is a place for a query
 */
export async function keptAnswer(
  services: ExplorerServices,
  request: HttpRequest,
  { key, plan }: AnswerKey,
  signal: AbortSignal,
  make: (signal: AbortSignal) => Promise<object>,
): Promise<HttpResponse> {
  const { store, explorer, queries } = services;
  const { revision } = store;
  const version = plan === undefined ? String(revision) : store.queries.versionOf(plan);
  const made = await explorer.kept.get(
    key,
    { version, revision },
    async (working) => {
      const { admission } = queries;
      const statements = plan === undefined ? [] : [plan.rows];
      const content = await admission.inTurn(statements, working, async () => {
        return admission.run(working, () => make(working));
      });
      return gzip(withRevision(revision, JSON.stringify(content)), { level: GZIP_LEVEL });
    },
    signal,
  );
  const zipped = made.revision < revision ? await renewed(explorer.kept, key, made, revision) : made.answer;
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

/** What was stored since has not changed the answer: it is right for this revision as well. */
async function renewed(
  kept: KeptAnswers,
  key: string,
  { version, revision: before, answer }: KeptAnswer,
  revision: number,
): Promise<Uint8Array> {
  const text = gunzipSync(answer)
    .toString()
    .slice(withRevision(before, "{}").length - 1);
  const zipped = await gzip(withRevision(revision, `{${text}`), { level: GZIP_LEVEL });
  kept.keep(key, { version, revision, answer: zipped });
  return zipped;
}

/** @param object JSON text of an object with at least one property */
function withRevision(revision: number, object: string): string {
  return `{"revision":${revision},${object.slice(1)}`;
}
