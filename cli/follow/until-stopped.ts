/** The signals that end a command that runs until it is ended, and the exit codes where one comes twice. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs work until it ends, or until SIGINT or SIGTERM, which cancel its requests.
 * A second signal ends the program at once.
 */
export async function untilStopped(work: (stop: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(signals[signal as keyof typeof signals]);
    controller.abort(new Error("stopped"));
  };
  for (const signal of Object.keys(signals)) process.on(signal, onSignal);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted || error !== controller.signal.reason) throw error;
  } finally {
    for (const signal of Object.keys(signals)) process.off(signal, onSignal);
  }
}
