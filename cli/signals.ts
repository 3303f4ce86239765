/** Signals that end the program, with the exit codes of a program that they ended. */
export const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Ending = keyof typeof endings;

/** Handles signals instead of ending the program. @returns ends this */
export function onSignals(signals: readonly Ending[], handle: (exitCode: number) => void): () => void {
  const handlers = signals.map((signal) => ({ signal, handler: (): void => handle(endings[signal]) }));
  for (const { signal, handler } of handlers) process.on(signal, handler);
  return () => handlers.forEach(({ signal, handler }) => process.off(signal, handler));
}

/** Resolves at the first of these signals; the second ends the program at once. */
export async function stopSignal(signals: readonly Ending[]): Promise<void> {
  await new Promise<void>((resolve) => {
    let isStopping = false;
    onSignals(signals, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve();
    });
  });
}
