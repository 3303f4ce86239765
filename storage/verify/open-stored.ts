import { existsSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Database } from "../engine/database.ts";
import { logStateOf } from "../engine/log-end.ts";
import { CensusError, messageOf } from "../errors.ts";
import { databaseFile } from "../store-database.ts";
import { type Finding, type Report, RESTORE } from "./finding.ts";

/** What a database contains about itself. */
export interface Stored {
  /** The identity of the store; empty for an older version. */
  readonly store: string;
  readonly queue: string;
  /** Commands of the queue up to this id are stored. */
  readonly applied: number;
}

/** A database that is open for reading. */
export interface OpenedFile {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens a database file without changing it, and without its log where that is unreadable.
 * @returns undefined where it cannot be opened
 * @throws CensusError "bad-file" where a service has it open
 */
export async function openStored(path: string, report: Report): Promise<OpenedFile | undefined> {
  try {
    const database = await Database.open({ path, readOnly: true });
    if (logStateOf(`${path}.wal`) === "unrecognized") report(unreadableLog("its first bytes are not those of a log"));
    return { database, close: () => database.close() };
  } catch (error) {
    if (/is in use by another process/.test(messageOf(error))) throw inUse(error);
    const words = engineMessage(error);
    const log = `${path}.wal`;
    if (!existsSync(log)) {
      report({ severity: "damaged", place: databaseFile, problem: `cannot be opened: ${words}`, remedy: RESTORE });
      return undefined;
    }
    report(unreadableLog(words));
    return openWithoutLog(path, report);
  }
}

function unreadableLog(words: string): Finding {
  return {
    severity: "notice",
    place: `${databaseFile}.wal`,
    problem: `cannot be read: ${words}`,
    remedy: "nothing: it is set aside when the service starts, and what it has is stored again from the queue",
  };
}

/**
 * Opens a database file as of its last checkpoint: under another name it has no log. The name is a link in a hidden folder
 * beside the file, which is removed again; the engine would follow a symbolic link to the log.
 */
export async function openWithoutLog(path: string, report: Report): Promise<OpenedFile | undefined> {
  let folder: string | undefined;
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    folder = mkdtempSync(join(dirname(resolve(path)), ".verify-"));
    const link = join(folder, databaseFile);
    linkSync(resolve(path), link);
    const database = await Database.open({ path: link, readOnly: true });
    return { database, close: () => database.close().finally(remove) };
  } catch (error) {
    remove();
    const problem = `cannot be opened: ${engineMessage(error)}`;
    report({ severity: "damaged", place: databaseFile, problem, remedy: RESTORE });
    return undefined;
  }
}

function inUse(error: unknown): CensusError {
  return new CensusError(
    "bad-file",
    `${messageOf(error).replace(/; stop it.*/, "")}: stop the service first, for census verify reads the files themselves`,
    { cause: error },
  );
}

/** The engine's own message. */
export function engineMessage(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(cause).split("\n")[0] ?? "";
}
