import type { Reader } from "./reader.ts";

/** Milliseconds between interruptions of a statement that goes on. */
const AGAIN = 50;

/**
 * Interrupts what some connections do when a signal is aborted: again and again, since an interruption that comes before
 * the engine has begun is forgotten.
 * @param readers those that there are when it happens
 * @returns ends that
 */
export function interruptOn(
  signal: AbortSignal | undefined,
  readers: readonly Pick<Reader, "interrupt">[],
): () => void {
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => readers.forEach((reader) => reader.interrupt());
  const begin = (): void => {
    interrupt();
    again = setInterval(interrupt, AGAIN).unref();
  };
  signal?.addEventListener("abort", begin);
  return () => {
    signal?.removeEventListener("abort", begin);
    clearInterval(again);
  };
}

/**
 * What a promise becomes, or the signal's reason as soon as it is aborted: of some of its work, such as planning, the engine
 * cannot be interrupted.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener("abort", abort);
  }
}
