import type { ProgressResult } from "@clack/prompts";

/** A progress bar. */
export interface Progress {
  /** Both in the same unit; may be called often. */
  readonly update: (done: number, total: number) => void;
  /** Removes the bar. */
  readonly stop: () => void;
}

/** Work shorter than this (ms) shows no bar. */
const DELAY = 400;

/** The exit code of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

// The library would exit with 0 on Ctrl-C, as if the work were done.
const setInterruptedCode = (): void => {
  process.exitCode = INTERRUPTED;
};

const silent: Progress = { update: () => undefined, stop: () => undefined };

/**
 * A bar on stderr when that is a terminal; nothing at all in a pipe.
 * @param onCancel called for Ctrl-C while there is a bar, because no signal is sent then; default: the program ends
 */
export async function startProgress(
  what: string,
  onCancel: () => void = () => process.exit(INTERRUPTED),
): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const { progress } = await import("@clack/prompts");
  const began = performance.now();
  let bar: ProgressResult | undefined;
  let shown = 0;
  const start = (): ProgressResult => {
    process.on("exit", setInterruptedCode);
    const started = progress({
      max: 100,
      output: process.stderr,
      indicator: "timer",
      withGuide: false,
      onCancel,
    });
    started.start(what);
    return started;
  };
  return {
    update: (done, total) => {
      if (bar === undefined && performance.now() - began < DELAY) return;
      bar ??= start();
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      if (percent <= shown) return;
      bar.advance(percent - shown, `${what}: ${percent} %`);
      shown = percent;
    },
    stop: () => {
      bar?.clear();
      bar = undefined;
      process.removeListener("exit", setInterruptedCode);
    },
  };
}
