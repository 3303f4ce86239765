import { exitCodeOf, reportError } from "./errors.ts";

/** What becomes of an exception that nothing has caught. */
type Handler = (error: unknown) => void;

const end: Handler = (error) => {
  reportError(error);
  process.exit(exitCodeOf(error));
};

let handler = end;

/** Reports an exception that nothing has caught, or a promise that was rejected unseen, and ends the program. */
export function watchUncaught(): void {
  process.on("uncaughtException", (error) => handler(error));
}

/**
 * From now on the program goes on after such an exception, as a service does: what is stored is guarded by transactions and
 * the queue's log, so that one request's fault must not end those of all others.
 * @returns ends this
 */
export function surviveUncaught(onFault: Handler): () => void {
  handler = onFault;
  return () => {
    handler = end;
  };
}
