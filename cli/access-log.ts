import { chmodSync, createWriteStream, existsSync, type WriteStream } from "node:fs";
import { accessLine, type AccessEntry, type AccessLogFormat } from "#app/listeners/access-log.ts";
import { usualMode } from "#storage/durability/permissions.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { log } from "./log.ts";

/** A file with one line per request. */
export interface AccessLog {
  write(entry: AccessEntry): void;
  /** Continues in a new file if the current one was renamed, as logrotate does; never throws. */
  reopen(): Promise<void>;
  /** Resolves when all entries are written. */
  close(): Promise<void>;
}

/**
 * Opens the access log for appending.
 * @throws CensusError "bad-file" when the file cannot be written
 */
export async function openAccessLog(path: string, format: AccessLogFormat): Promise<AccessLog> {
  let file = await openFile(path);
  return {
    write: (entry) => file.write(`${accessLine(entry, format)}\n`),
    reopen: async () => {
      try {
        const previous = file;
        file = await openFile(path);
        previous.end();
      } catch (error) {
        log.warn(`keeping the current access log: ${messageOf(error)}`);
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
