/** How much of some work is done, on a terminal. */
export interface Progress {
  /** Both in the same unit; may be called often. */
  readonly update: (done: number, total: number) => void;
  /** Removes the line. */
  readonly stop: () => void;
}

const CLEAR_LINE = "\r\u{1b}[2K";

/** A line on stderr with the part that is done, when that is a terminal; nothing at all in a pipe. */
export function startProgress(what: string): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const began = performance.now();
  let shown = "";
  return {
    update: (done, total) => {
      // Short work shows nothing.
      if (performance.now() - began < 400) return;
      const line = `${what}: ${total === 0 ? 100 : Math.floor((done / total) * 100)} %`;
      if (line === shown) return;
      // A longer line would leave its beginning behind when it is replaced.
      process.stderr.write(`${CLEAR_LINE}${line.slice(0, process.stderr.columns - 1)}`);
      shown = line;
    },
    stop: () => {
      if (shown !== "") process.stderr.write(CLEAR_LINE);
    },
  };
}
