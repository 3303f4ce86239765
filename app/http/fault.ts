import type { IncomingMessage } from "node:http";
import { CensusError, type ErrorCode, messageOf } from "#storage/errors.ts";
import { explainedError, isOutOfMemory } from "#storage/engine/error-classes.ts";
import { isTransient } from "#storage/queue/transient-errors.ts";
import { type Answer, inText } from "./answer.ts";
import { targetOf } from "./request.ts";

/** Told of faults of ours, which the client sees as a bare 500. */
export type FaultListener = (error: unknown, request: string) => void;

/** How errors that are written for users are answered; those of files are faults of the server. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  "bad-input": 400,
  "not-found": 404,
  conflict: 409,
  unavailable: 503,
};

/** Seconds after which what cannot be done at present is worth another try. */
const RETRY_AFTER = "10";

/** What is answered where answering has failed. */
export function faultAnswer(thrown: unknown, request: IncomingMessage, onFault?: FaultListener): Answer {
  // Any read may meet an engine whose memory others use, not only those that a client's query is made of.
  const error = isOutOfMemory(thrown) ? explainedError(thrown) : thrown;
  // A disk that is full or does not answer is no defect: the client may come again.
  const status = error instanceof CensusError ? statuses[error.code] : isTransient(error) ? 503 : undefined;
  if (status === 503) return withHeader(inText(messageOf(error), status), "retry-after", RETRY_AFTER);
  if (status !== undefined) return inText(messageOf(error), status);
  // A client that leaves before it has sent all is nobody's fault.
  const hasLeft = request.destroyed && !request.complete;
  if (!hasLeft) onFault?.(error, `${request.method ?? ""} ${targetOf(request).path}`);
  return inText("An unexpected error occurred", 500);
}

function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}
