import { onSignals } from "../signals.ts";

/**
 * Runs work until it ends, or until SIGINT or SIGTERM, which cancel its requests.
 * A second signal ends the program at once.
 */
export async function untilStopped(work: (stop: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const end = onSignals(["SIGINT", "SIGTERM"], (exitCode) => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Error("stopped"));
  });
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted || error !== controller.signal.reason) throw error;
  } finally {
    end();
  }
}
