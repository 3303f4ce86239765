import { INTERRUPTED } from "./progress.ts";

/** What tells a program to end, and the exit code of one that did. */
const signals = { SIGINT: INTERRUPTED, SIGTERM: 143 } as const;

/**
 * Does work that has something to tidy up when the program is told to end meanwhile.
 * @param work what it throws once it is cancelled is not looked at
 * @returns the exit code
 */
export async function interruptible(work: (signal: AbortSignal, cancel: () => void) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  let code: number = INTERRUPTED;
  const cancel = (): void => controller.abort(new Error("interrupted"));
  const onSignal = (signal: NodeJS.Signals): void => {
    code = signals[signal as keyof typeof signals];
    cancel();
  };
  for (const signal of Object.keys(signals)) process.on(signal, onSignal);
  try {
    await work(controller.signal, cancel);
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write("census: interrupted; nothing was written\n");
    return code;
  } finally {
    for (const signal of Object.keys(signals)) process.off(signal, onSignal);
  }
}

/** The same elements, until a signal ends it: its reason is thrown in place of the next one. */
export async function* until<T>(signal: AbortSignal, elements: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const element of elements) {
    signal.throwIfAborted();
    yield element;
  }
}
