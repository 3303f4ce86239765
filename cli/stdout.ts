import { ReaderGone } from "./errors.ts";

/** A text output with back-pressure. */
export interface TextOutput {
  /** @throws ReaderGone when the reader has closed the pipe */
  write(text: string): Promise<void>;
  /** Writes remarks that are not part of the result; default: to stderr. */
  aside?(text: string): void;
}

/** Writes a remark that is not part of the result: to stderr, after a pager has returned the terminal. */
export function remark(output: TextOutput, text: string): void {
  if (output.aside === undefined) process.stderr.write(text);
  else output.aside(text);
}

let watched = false;

/** The program's standard output. */
export const stdout: TextOutput = {
  write: (text) => {
    if (!watched) {
      // The callback below reports the error; without a listener the event would end the process.
      process.stdout.on("error", () => undefined);
      watched = true;
    }
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(isGone(error) ? new ReaderGone() : error);
      });
    });
  },
};

function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED" || error.code === "ECONNRESET";
}
