import type { IncomingMessage } from "node:http";
import { CensusError, type ErrorCode, messageOf } from "#storage/errors.ts";
import { EngineFailure, explainedOrFailure, isEngineError, isOutOfMemory } from "#storage/engine/error-classes.ts";
import { isTransient } from "#storage/queue/transient-errors.ts";
import { type HttpResponse, textResponse } from "./response.ts";
import { targetOf } from "./request.ts";

/** Called for defects of the server, which the client sees as a bare 500. */
export type FaultListener = (error: unknown, request: string) => void;

/** Statuses of errors whose messages are written for users. Errors of files are answered 500. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  "bad-input": 400,
  "not-found": 404,
  conflict: 409,
  unavailable: 503,
};

/** Seconds after which a client may try again when something is unavailable. */
const RETRY_AFTER = "10";

/** The response for a request whose handler has thrown. */
export function faultResponse(thrown: unknown, request: IncomingMessage, onFault?: FaultListener): HttpResponse {
  // Any read can fail because other queries use the engine's memory, or by a failure of the engine itself.
  const isOfEngine = isOutOfMemory(thrown) || (isEngineError(thrown) && !isTransient(thrown));
  const error = isOfEngine ? explainedOrFailure(thrown) : thrown;
  if (error instanceof EngineFailure) onFault?.(error.cause, `${request.method ?? ""} ${targetOf(request).path}`);
  // A disk that is full or does not respond is not a defect: the client may try again.
  const status = error instanceof CensusError ? statuses[error.code] : isTransient(error) ? 503 : undefined;
  if (status === 503) return withHeader(textResponse(messageOf(error), status), "retry-after", RETRY_AFTER);
  if (status !== undefined) return textResponse(messageOf(error), status);
  // A client that disconnects before it has sent its whole request is not a defect.
  const hasLeft = request.destroyed && !request.complete;
  if (!hasLeft) onFault?.(error, `${request.method ?? ""} ${targetOf(request).path}`);
  return textResponse("An unexpected error occurred", 500);
}

function withHeader(response: HttpResponse, name: string, value: string): HttpResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}
