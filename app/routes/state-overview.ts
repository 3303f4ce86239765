import type { H3Event } from "h3";
import { QueryError } from "#storage/query/errors.ts";
import type { Store } from "#storage/store.ts";
import { asResponse, notFound, prettyAnswer, textAnswer } from "../http/answers.ts";
import { refuseMedia } from "../http/negotiation.ts";
import { nodeRequest, rawTarget } from "../http/request.ts";
import { illegalValue } from "../query/conversions.ts";
import { type Given, givenParameters } from "../query/given.ts";
import { formPairs } from "../query/form-pairs.ts";

/** The one parameter there is, and the largest it may be: a number of 32 bits, as everywhere in the peer. */
const THRESHOLD = "unresponsive_threshold";
const LARGEST = 2 ** 31 - 1;

/**
 * `GET /pdb/ext/v1/state-overview`: how many active nodes are in which state (`reference/lifecycle.md §8`). Errors are
 * plain text.
 */
export async function answerStateOverview(store: Store, event: H3Event): Promise<Response> {
  const request = nodeRequest(event);
  const { path, search } = rawTarget(event);
  const refusal = refuseMedia(request, path);
  if (refusal !== undefined) return asResponse(refusal);
  if (request.method !== "GET") return notFound();
  try {
    const seconds = readThreshold(givenParameters({ method: "GET", params: formPairs(search) }));
    return prettyAnswer(await store.stateOverview(seconds));
  } catch (error) {
    if (error instanceof QueryError) return textAnswer(error.message);
    throw error;
  }
}

/** @throws QueryError in the words that queries are refused with (`reference/http.md §3.1`) */
function readThreshold(given: Given): number {
  const text = given.get(THRESHOLD);
  if (text === undefined) throw new QueryError(`Missing required query parameter '${THRESHOLD}'`);
  const unknown = [...given.keys()].find((name) => name !== THRESHOLD);
  if (unknown !== undefined) throw new QueryError(`Unsupported query parameter '${unknown}'`);
  const seconds = typeof text === "string" && /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LARGEST) return seconds;
  throw illegalValue(THRESHOLD, text, "expected a non-negative integer.");
}
