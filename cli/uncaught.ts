import { exitCodeOf, reportError } from "./errors.ts";

/** Handles an uncaught exception. */
type Handler = (error: unknown) => void;

const end: Handler = (error) => {
  reportError(error);
  process.exit(exitCodeOf(error));
};

let handler = end;

/** Reports uncaught exceptions and unhandled rejections, and ends the program. */
export function watchUncaught(): void {
  process.on("uncaughtException", (error) => handler(error));
}

/**
 * From now on, the program continues after uncaught exceptions, as a service must: transactions and the queue's log protect
 * the data, so an error in one request must not end all others.
 * @returns ends this
 */
export function surviveUncaught(onFault: Handler): () => void {
  handler = onFault;
  return () => {
    handler = end;
  };
}
