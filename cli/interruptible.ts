/** The signals that interrupt the work, with their exit codes. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs work that must clean up when a signal ends the program.
 * @param work its errors after cancelling are ignored
 * @returns the exit code
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  let code: number = signals.SIGINT;
  const onSignal = (signal: NodeJS.Signals): void => {
    code = signals[signal as keyof typeof signals];
    controller.abort(new Error("interrupted"));
  };
  for (const signal of Object.keys(signals)) process.on(signal, onSignal);
  try {
    await work(controller.signal);
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write("census: interrupted; nothing was written\n");
    return code;
  } finally {
    for (const signal of Object.keys(signals)) process.off(signal, onSignal);
  }
}

/** Passes elements on until the signal aborts, then throws its reason. */
export async function* until<T>(signal: AbortSignal, elements: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const element of elements) {
    signal.throwIfAborted();
    yield element;
  }
}
