import type { IncomingMessage } from "node:http";
import { CensusError, type ErrorCode, messageOf } from "#storage/errors.ts";
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

/** What is answered where answering has failed. */
export function faultAnswer(error: unknown, request: IncomingMessage, onFault?: FaultListener): Answer {
  const status = error instanceof CensusError ? statuses[error.code] : undefined;
  if (status !== undefined) return inText(messageOf(error), status);
  // A client that leaves before it has sent all is nobody's fault.
  const hasLeft = request.destroyed && !request.complete;
  if (!hasLeft) onFault?.(error, `${request.method ?? ""} ${targetOf(request).path}`);
  return inText("An unexpected error occurred", 500);
}
