import type { Reader } from "./reader.ts";

/**
 * Interrupts connections when a signal is aborted: repeatedly, because an interruption before the engine has begun has
 * no effect.
 * @param readers the connections at the time of the interruption
 * @returns ends the interruptions
 */
export function interruptOn(
  signal: AbortSignal | undefined,
  readers: readonly Pick<Reader, "interrupt">[],
): () => void {
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => readers.forEach((reader) => reader.interrupt());
  const begin = (): void => {
    interrupt();
    again = setInterval(interrupt, 50).unref();
  };
  signal?.addEventListener("abort", begin);
  return () => {
    signal?.removeEventListener("abort", begin);
    clearInterval(again);
  };
}

/**
 * The result of a promise, or the signal's reason as soon as it is aborted: some work of the engine, such as planning,
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
