import { ReaderGone } from "./errors.ts";

/** Where answers go: one text after the other, at the reader's pace. */
export interface TextOutput {
  /** @throws ReaderGone when nobody reads any more */
  write(text: string): Promise<void>;
  /** Takes remarks that are no part of the answer; where it is missing they go to stderr. */
  aside?(text: string): void;
}

let watched = false;

/** The program's standard output. */
export const stdout: TextOutput = {
  write: (text) => {
    if (!watched) {
      // The callback below is told as well; without a listener the event would end the process.
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
