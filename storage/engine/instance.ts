import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import { makeFolders } from "../folders.ts";
import { memoryBudget } from "../memory/budget.ts";
import { duckdb } from "./duckdb.ts";
import type { LogEnd } from "./log-end.ts";
import { registerFunctions } from "./functions.ts";
import { quotedText } from "./quoted-text.ts";
import { Reader } from "./reader.ts";
import { readTables } from "./tables.ts";

export interface DatabaseOptions {
  /** The database file; absent = in memory. */
  readonly path?: string;
  /** The file stays as it is, and others may read it at the same time; it must be there. */
  readonly readOnly?: boolean;
  /** Threads of the engine; absent = one per core. */
  readonly threads?: number;
  /** Only for a database in memory: a script that makes its tables. */
  readonly tables?: string;
  /** With `tables`: the folder that `writeTables` made, whose rows they begin with. */
  readonly base?: string;
  /**
   * Set where the file may be opened as of its last checkpoint, because what its log holds is kept elsewhere, too.
   */
  readonly onLog?: LogListener | undefined;
}

/** Receives what was lost of the engine's log when the file was opened. */
export interface LogListener {
  /**
   * The log could not be read.
   * @param path the name under which it is kept
   * @param reason the engine's words
   */
  setAside(path: string, reason: string): void;
  /** The log ends in the middle of a transaction, which the engine leaves out. */
  cutOff(path: string, end: LogEnd): void;
}

/**
 * What the engine may use (the value of its `memory_limit`). What does not fit goes to a temporary file beside the database;
 * one in memory has nowhere else to be, and may use most of what the process has.
 */
export function engineMemory(isFile: boolean, besides = 0): string {
  const { engine, engineInMemory } = memoryBudget();
  return `${(isFile ? engine : engineInMemory) + besides}B`;
}

/**
 * Freed at once, so much has the engine's allocator emptied. A hash table for a few groups is 2 MB: given back after each
 * query, it would cost as much time as the query. Texts of an export come to 8 MB at a time, again and again: fresh pages
 * for each took as long as making them.
 */
export const FREED_AT_ONCE = { usual: "4MB", inBulk: "64MB" } as const;

/**
 * Of the engine's threads those that are not its own, but belong to whoever asks. A caller waits for the engine's own
 * threads by asking over and over whether they are done, which on two cores takes the time that they would need: there
 * each question has one thread and several are answered side by side.
 */
const CALLING_THREADS = 2;

export async function openInstance({
  path,
  threads = memoryBudget().engineThreads,
  readOnly = false,
  tables,
  base,
}: DatabaseOptions): Promise<[DuckDBInstance, DuckDBConnection]> {
  const { DuckDBInstance } = await duckdb();
  const settings: Record<string, string> = {
    // The file may lie where nothing can be written beside it. Has to come before access is forbidden.
    ...(readOnly ? { access_mode: "READ_ONLY", temp_directory: tmpdir() } : {}),
    // No downloads, no files but our own, whatever a statement asks for.
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    enable_external_access: String(base !== undefined || (path !== undefined && !readOnly)),
    preserve_insertion_order: "true",
    memory_limit: engineMemory(path !== undefined),
    // Memory goes back to the system soon after a large answer, not at the allocator's leisure.
    allocator_background_threads: "true",
    allocator_flush_threshold: "1MB",
    allocator_bulk_deallocation_flush_threshold: FREED_AT_ONCE.usual,
  };
  if (threads !== undefined) settings["threads"] = String(threads);
  settings["external_threads"] = String(Math.min(threads ?? availableParallelism(), CALLING_THREADS));
  if (path !== undefined) {
    // Today's compressions for long texts halve the file. Stores are read by this program, which brings its engine.
    settings["storage_compatibility_version"] = "latest";
    // Reports' documents are a few hundred characters long, and would mostly be stored as they are.
    settings["zstd_min_string_length"] = "512";
    // When the log is written into the file is up to us: the queue keeps its commands until that has been done.
    settings["checkpoint_threshold"] = "1TB";
  }
  const instance = await DuckDBInstance.create(path ?? ":memory:", settings);
  // In one go: whoever waits for it has other things to do meanwhile.
  const begin = [tables, base === undefined ? undefined : readTables(base)].filter((script) => script !== undefined);
  const { connection: writer } = await Reader.open(instance, ...begin);
  if (base !== undefined) await writer.run("SET enable_external_access = false");
  // From here on it reaches no other file. A list can be said to it in SQL alone.
  if (path !== undefined && !readOnly) {
    await writer.run(`SET allowed_directories = [${quotedText(`${copyFolderOf(path)}/`)}]`);
    await writer.run("SET enable_external_access = false");
  }
  if (path !== undefined && !readOnly) await writer.run("PRAGMA disable_checkpoint_on_shutdown");
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

/** The engine's words for what can go wrong with a file, in one line of ours. */
export function openError(place: string, error: unknown): CensusError {
  if (error instanceof CensusError) return error;
  const text = messageOf(error);
  const holder = /Conflicting lock is held in (.+?) \(PID (\d+)\)/.exec(text);
  const reason =
    holder !== null
      ? `is in use by another process (${holder[1]}, PID ${holder[2]}); stop it, or ask it over HTTP with --url`
      : /Could not set lock/.test(text)
        ? "is in use by another process; stop it, or ask it over HTTP with --url"
        : /Permission denied|read-only|Read-only/i.test(text)
          ? "is not writable; check its owner and mode"
          : /not a valid DuckDB database|magic bytes|corrupt/i.test(text)
            ? `is not a Census store, or is damaged: ${text.split("\n")[0]}`
            : `cannot be opened: ${text.split("\n")[0]}`;
  return new CensusError("bad-file", `${place}: ${reason}`, { cause: error });
}
