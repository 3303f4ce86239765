import { dirname, join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import { FileInUse } from "./file-in-use.ts";
import { makeFolders } from "../folders.ts";
import { RESTORE } from "../remedy.ts";
import { duckdb } from "./duckdb.ts";
import type { LogEnd } from "./log-end.ts";
import { registerFunctions } from "./functions.ts";
import { Reader } from "./reader.ts";
import { instanceSettings, NO_CHECKPOINT_AT_END, ONLY_OWN_FILES, onlyFolder } from "./settings.ts";
import { readTables } from "./tables.ts";

export interface DatabaseOptions {
  /** The database file; absent = in memory. */
  readonly path?: string;
  /** The file is not changed, and other processes may read it at the same time; it must exist. */
  readonly readOnly?: boolean;
  /** Threads of the engine; absent = one per core. */
  readonly threads?: number;
  /** Only for a database in memory: a script that creates its tables. */
  readonly tables?: string;
  /** With `tables`: the folder written by `writeTables`, with the initial rows. */
  readonly base?: string;
  /**
   * Present where the file may be opened as of its last checkpoint, because the contents of its log are stored
   * elsewhere, too.
   */
  readonly onLog?: LogListener | undefined;
  /** Called with the numbers of blocks that an unfinished checkpoint had torn, when they have been restored. */
  readonly onRestored?: ((blocks: readonly number[]) => void) | undefined;
}

/** Called with what was lost of the engine's log when the file was opened. */
export interface LogListener {
  /**
   * The log is unreadable.
   * @param path its new name
   * @param reason the engine's message
   */
  setAside(path: string, reason: string): void;
  /** The log ends in the middle of a transaction, which the engine ignores. */
  cutOff(path: string, end: LogEnd): void;
}

export async function openInstance({
  path,
  threads,
  readOnly = false,
  tables,
  base,
}: DatabaseOptions): Promise<[DuckDBInstance, DuckDBConnection]> {
  const { DuckDBInstance } = await duckdb();
  const ofFile = path !== undefined && !readOnly;
  const settings = instanceSettings({ path, threads, readOnly, readsFiles: base !== undefined || ofFile });
  const instance = await DuckDBInstance.create(path ?? ":memory:", settings);
  // All statements in one call, so that the caller can do other work meanwhile.
  const begin = [tables, base === undefined ? undefined : readTables(base)].filter((script) => script !== undefined);
  const reader = await Reader.open(instance, { script: begin });
  const writer = reader.connection;
  if (base !== undefined) await writer.run(ONLY_OWN_FILES);
  if (ofFile) await writer.run([...onlyFolder(`${copyFolderOf(path)}/`), NO_CHECKPOINT_AT_END].join("; "));
  await registerFunctions(writer);
  return [instance, writer];
}

export function copyFolderOf(path: string): string {
  return join(dirname(resolve(path)), "backup");
}

export function uploadFolderOf(path: string): string {
  return join(dirname(resolve(path)), "uploads");
}

export function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new CensusError("bad-file", `${folder}: cannot make this folder: ${messageOf(error)}`, { cause: error });
  }
}

/** The engine's errors about a file as one line. */
export function openError(place: string, error: unknown): CensusError {
  if (error instanceof CensusError) return error;
  const text = messageOf(error);
  const holder = /Conflicting lock is held in (.+?) \(PID (\d+)\)/.exec(text);
  if (holder !== null || /Could not set lock/.test(text)) {
    return new FileInUse(`${place}: is in use by another process${holder ? ` (${holder[1]}, PID ${holder[2]})` : ""}`);
  }
  const reason = /Permission denied|read-only|Read-only/i.test(text)
    ? "is not writable; check its owner and mode"
    : /not a valid DuckDB database|magic bytes|corrupt/i.test(text)
      ? `is not a Census store, or is damaged: ${text.split("\n")[0]}. ${RESTORE}, or name another file`
      : `cannot be opened: ${text.split("\n")[0]}`;
  return new CensusError("bad-file", `${place}: ${reason}`, { cause: error });
}
