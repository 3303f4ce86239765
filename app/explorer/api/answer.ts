import { clipped } from "#storage/clip.ts";
import { CensusError } from "#storage/errors.ts";
import type { Plan } from "#storage/query/query.ts";
import { count, type Schema } from "#storage/shape.ts";
import { acceptsGzip, wantsNewAnswer } from "../../http/accept.ts";
import { mediaRefusal } from "../../http/negotiation.ts";
import { type HttpRequest, requestSignal } from "../../http/request.ts";
import { contentType, type HttpResponse, jsonResponse, textResponse, vary } from "../../http/response.ts";
import { timeLimit } from "../../query/settings.ts";
import { apiHeaders } from "../headers.ts";
import type { ExplorerServices } from "../services.ts";
import type { Answer, AnswerPath } from "./shapes.ts";

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

/** An answer may be shown while it is younger than this many times what making it took, although the data have changed. */
const FRESHNESS = 10;

/** Answers with JSON that is not cached. */
export function plainAnswer<Path extends AnswerPath>(value: Answer<Path>): HttpResponse {
  const response = jsonResponse(value);
  return { ...response, headers: { ...response.headers, ...apiHeaders } };
}

/** An answer with the store's revision, described. */
export function withRevision(content: Schema): Schema {
  const { properties, required } = content as { properties: object; required: readonly string[] };
  return { ...content, properties: { revision: count(), ...properties }, required: ["revision", ...required] };
}

/** The key of a cached answer. */
export interface AnswerKey<Path extends AnswerPath> {
  readonly of: Path;
  /** The parameters, and where the answer depends on the time, the time, rounded to the accuracy that is needed. */
  readonly key: string;
  /** The plan of the present state whose rows it is made of, and nothing else; absent: anything that is stored. */
  readonly plan?: Plan | undefined;
}

/**
 * Answers with a JSON object and the store's `revision` of which it is. An answer that is not of the present data has its age in the
 * header `age`, in seconds.
 * @param make the object; runs when there is a place for a query
 */
export async function cachedAnswer<Path extends AnswerPath>(
  services: ExplorerServices,
  request: HttpRequest,
  { of, key, plan }: AnswerKey<Path>,
  signal: AbortSignal,
  make: (signal: AbortSignal) => Promise<Answer<Path>>,
): Promise<HttpResponse> {
  const { store, queries } = services;
  const { answers, admission, settings } = queries;
  const { revision } = store;
  const version = plan === undefined ? String(revision) : store.queries.versionOf(plan);
  const made = async (working: AbortSignal): Promise<Buffer> => {
    const statements = plan === undefined ? [] : [plan.rows];
    const content = await admission.inTurn(statements, working, async () => {
      return admission.run(working, () => make(working));
    });
    return Buffer.from(JSON.stringify({ revision, ...content }));
  };
  const freshness = wantsNewAnswer(request.message) ? undefined : { times: FRESHNESS, revision };
  const answer = await answers.get({ key: `${of} ${key}`, version }, freshness, made, signal);
  const age = answer.state.version === version ? {} : { age: String(Math.ceil(answers.age(answer) / 1000)) };
  const isZipped = settings.gzip && acceptsGzip(request.message);
  return {
    status: 200,
    headers: {
      ...apiHeaders,
      "content-type": contentType.json,
      vary,
      ...age,
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    },
    body: isZipped ? await answers.zipped(answer) : answers.body(answer),
  };
}
