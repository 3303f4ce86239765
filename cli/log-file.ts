import { chmodSync, createWriteStream, existsSync, type WriteStream } from "node:fs";
import { usualMode } from "#storage/durability/permissions.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { log } from "./log.ts";

/** A file with one line per event, such as the access log. */
export interface LogFile {
  write(line: string): void;
  /** Continues in a new file if the current one was renamed, as logrotate does; never throws. */
  reopen(): Promise<void>;
  /** Resolves when all lines are written. */
  close(): Promise<void>;
}

/**
 * Opens the file for appending.
 * @throws CensusError "bad-file" when the file cannot be written
 */
export async function openLogFile(path: string): Promise<LogFile> {
  let file = await openFile(path);
  return {
    write: (line) => file.write(`${line}\n`),
    reopen: async () => {
      try {
        const previous = file;
        file = await openFile(path);
        previous.end();
      } catch (error) {
        log.warn(`keeping the current file: ${messageOf(error)}`);
      }
    },
    close: async () => new Promise((resolve) => file.end(resolve)),
  };
}

async function openFile(path: string): Promise<WriteStream> {
  const isNew = !existsSync(path);
  const file = createWriteStream(path, { flags: "a" });
  await new Promise<void>((resolve, reject) => {
    file.once("open", () => resolve());
    file.once("error", (error) =>
      reject(new CensusError("bad-file", `${path}: cannot be written: ${messageOf(error)}`, { cause: error })),
    );
  });
  file.on("error", (error) => log.fault(path, error));
  // The process has a strict umask for the store's files, but log collectors must be able to read this one.
  if (isNew) chmodSync(path, usualMode(0o640));
  return file;
}
