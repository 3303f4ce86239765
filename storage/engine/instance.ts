import { statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import { FileInUse } from "./file-in-use.ts";
import { makeFolders } from "../folders.ts";
import { memoryBudget } from "../memory/budget.ts";
import { RESTORE } from "../remedy.ts";
import { duckdb } from "./duckdb.ts";
import type { LogEnd } from "./log-end.ts";
import { registerFunctions } from "./functions.ts";
import { quotedText } from "./quoted-text.ts";
import { Reader } from "./reader.ts";
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

/**
 * What the engine may keep in memory about changed rows, as a part of the file (`EngineMemory.isFullOfChanges`). Where it is more, the
 * file is opened anew (`renewal.ts`).
 */
const CHANGED_ROWS = 1 / 16;

/**
 * The engine's `memory_limit` in bytes. Data beyond it go to a temporary file beside the database; a database in memory has no
 * such file and may use most of the process's limit.
 * @param path the database file; undefined: it is in memory
 * @param besides bytes in addition
 */
export function engineMemory(path: string | undefined, besides = 0): number {
  const { engine, engineInMemory, changedRows } = memoryBudget();
  if (path === undefined) return engineInMemory + besides;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const changed = Math.floor(Math.min(changedRows, size * CHANGED_ROWS));
  return engine + changed + besides;
}

/**
 * Bytes after which the engine's allocator returns free memory to the system. A hash table for a few groups has 2 MB:
 * returning it after each query would cost as much time as the query. Texts of an export come 8 MB at a time: new pages
 * for each would cost as much as making the texts. A query that reads long texts takes three times as long with 4 MB, so an
 * opened archive, which nobody keeps open for days, has more.
 */
export const ALLOCATOR_FLUSH = { usual: "4MB", inBulk: "64MB" } as const;

/** What the engine's allocator keeps where nothing is read in bulk. */
export function usualAllocatorFlush(readOnly: boolean): string {
  return readOnly ? ALLOCATOR_FLUSH.inBulk : ALLOCATOR_FLUSH.usual;
}

/**
 * The number of the engine's threads that are calling threads of ours. A caller waits for the engine's own threads by
 * polling, which on two cores takes the time that they need. So with two cores each query has one thread, and several
 * queries run in parallel.
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
    // The file's folder may be read-only. This must be set before access is forbidden.
    ...(readOnly ? { access_mode: "READ_ONLY", temp_directory: tmpdir() } : {}),
    // No downloads and no files but our own, whatever a statement contains.
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    enable_external_access: String(base !== undefined || (path !== undefined && !readOnly)),
    preserve_insertion_order: "true",
    memory_limit: `${engineMemory(path)}B`,
    // Return memory to the system soon after a large result, rather than when the allocator chooses to.
    allocator_background_threads: "true",
    allocator_flush_threshold: "1MB",
    allocator_bulk_deallocation_flush_threshold: usualAllocatorFlush(readOnly),
  };
  if (threads !== undefined) settings["threads"] = String(threads);
  settings["external_threads"] = String(Math.min(threads ?? availableParallelism(), CALLING_THREADS));
  if (path !== undefined) {
    // The latest compression halves the file for long texts. Only this program reads stores, with this version of the
    // engine.
    settings["storage_compatibility_version"] = "latest";
    // Facts of a few hundred characters would be stored uncompressed beside one that has very many.
    settings["zstd_min_string_length"] = "512";
    // We decide when the log is written into the file: the queue keeps its commands until then.
    settings["checkpoint_threshold"] = "1TB";
  }
  const instance = await DuckDBInstance.create(path ?? ":memory:", settings);
  // All statements in one call, so that the caller can do other work meanwhile.
  const begin = [tables, base === undefined ? undefined : readTables(base)].filter((script) => script !== undefined);
  const reader = await Reader.open(instance, { script: begin });
  // Whatever the store has, a batch joins few of its rows.
  await reader.prepareFor(Infinity);
  const writer = reader.connection;
  if (base !== undefined) await writer.run("SET enable_external_access = false");
  // From here on the engine accesses no other file. A list can only be set in SQL.
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
