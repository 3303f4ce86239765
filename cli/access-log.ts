import { chmodSync, createWriteStream, existsSync } from "node:fs";
import { accessLine, type AccessEntry, type AccessLogFormat } from "#app/listeners/access-log.ts";
import { usualMode } from "#storage/durability/permissions.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { log } from "./log.ts";

/** A file with one line per request. */
export interface AccessLog {
  write(entry: AccessEntry): void;
  /** Resolves when all entries are written. */
  close(): Promise<void>;
}

/**
 * Opens the access log for appending.
 * @throws CensusError "bad-file" when the file cannot be written
 */
export async function openAccessLog(path: string, format: AccessLogFormat): Promise<AccessLog> {
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
  return {
    write: (entry) => file.write(`${accessLine(entry, format)}\n`),
    close: async () => new Promise((resolve) => file.end(resolve)),
  };
}
