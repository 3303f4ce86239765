import { onSignals } from "./signals.ts";

/**
 * Runs work that must clean up when a signal ends the program.
 * @param work its errors after cancelling are ignored
 * @returns the exit code
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  let code = 0;
  const end = onSignals(["SIGINT", "SIGTERM"], (exitCode) => {
    code = exitCode;
    controller.abort(new Error("interrupted"));
  });
  try {
    await work(controller.signal);
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write("census: interrupted; nothing was written\n");
    return code;
  } finally {
    end();
  }
}

/** Passes elements on until the signal aborts, then throws its reason. */
export async function* until<T>(signal: AbortSignal, elements: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const element of elements) {
    signal.throwIfAborted();
    yield element;
  }
}
