/**
 * How the engine is set up: every setting that is not its default, and why. All of this was seen with the version below;
 * `test/storage/engine/settings.test.ts` notices another version, and a setting whose default is ours by now.
 */
import { statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { memoryBudget } from "../memory/budget.ts";
import { quotedText } from "./quoted-text.ts";

/** The version of the engine that this page describes. */
export const SEEN_IN = "v1.5.5";

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
  // For what it keeps about changed rows (`EngineMemory.isFullOfChanges`). Where that is more, the file is opened anew (`renewal.ts`).
  const changed = Math.floor(Math.min(changedRows, size / 16));
  return engine + changed + besides;
}

/** The limit of {@link engineMemory}. Setting it also makes the engine's allocator return free memory to the system. */
export function memoryLimit(path: string | undefined, besides = 0): string {
  return `SET GLOBAL memory_limit = '${engineMemory(path, besides)}B'`;
}

/**
 * Makes the engine free all cached parts of the file that are not being read: it frees what it can, fails to reach this limit and keeps
 * its old one. There is no other way to make it free them.
 */
export const LEAST_MEMORY = "SET GLOBAL memory_limit = '1B'";

/**
 * A query whose hash table of 5 MB stays in memory until its result is read to the end: with 64 processors the engine's count may be
 * 2 MB too low. Without it the engine could reach {@link LEAST_MEMORY} between two statements, and all others would get no memory.
 */
export const LONG_LIVED_HASH_TABLE = {
  sql: "SELECT b.n::VARCHAR FROM range(65536) a(n) LEFT JOIN (SELECT range // 3 AS n FROM range(65536)) b USING (n)",
  values: [],
};

/**
 * Bytes after which the engine's allocator returns free memory to the system. A hash table for a few groups has 2 MB:
 * returning it after each query would cost as much time as the query. Texts of an export come 8 MB at a time: new pages
 * for each would cost as much as making the texts. A query that reads long texts takes three times as long with 4 MB, so an
 * opened archive, which nobody keeps open for days, has more.
 */
const ALLOCATOR_FLUSH = { usual: "4MB", inBulk: "64MB" } as const;

/** @param inBulk whether much is being read */
export function allocatorFlush({ readOnly, inBulk }: { readonly readOnly: boolean; readonly inBulk: boolean }): string {
  return `SET GLOBAL allocator_bulk_deallocation_flush_threshold = '${flushOf(readOnly || inBulk)}'`;
}

function flushOf(inBulk: boolean): string {
  return inBulk ? ALLOCATOR_FLUSH.inBulk : ALLOCATOR_FLUSH.usual;
}

/**
 * The number of the engine's threads that are calling threads of ours. A caller waits for the engine's own threads by
 * polling, which on two cores takes the time that they need. So with two cores each query has one thread, and several
 * queries run in parallel.
 */
const CALLING_THREADS = 2;

/** No downloads, whatever a statement contains; rows in the order in which they were stored. */
const ALWAYS = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  preserve_insertion_order: "true",
};

/** What an engine is opened with. */
export function instanceSettings({
  path,
  threads = memoryBudget().engineThreads,
  readOnly,
  readsFiles,
}: {
  readonly path: string | undefined;
  readonly threads: number | undefined;
  readonly readOnly: boolean;
  /** Whether it may access other files than its own until {@link ONLY_OWN_FILES}. */
  readonly readsFiles: boolean;
}): Record<string, string> {
  return {
    ...ALWAYS,
    // The file's folder may be read-only. This must be set before access is forbidden.
    ...(readOnly ? { access_mode: "READ_ONLY", temp_directory: tmpdir() } : {}),
    enable_external_access: String(readsFiles),
    memory_limit: `${engineMemory(path)}B`,
    // Return memory to the system soon after a large result, rather than when the allocator chooses to.
    allocator_background_threads: "true",
    allocator_flush_threshold: "1MB",
    allocator_bulk_deallocation_flush_threshold: flushOf(readOnly),
    ...(threads === undefined ? {} : { threads: String(threads) }),
    external_threads: String(Math.min(threads ?? availableParallelism(), CALLING_THREADS)),
    ...(path === undefined ? {} : ofFile),
  };
}

const ofFile = {
  // The latest compression halves the file for long texts. Only this program reads stores, with this version of the engine.
  storage_compatibility_version: "latest",
  // Facts of a few hundred characters would be stored uncompressed beside one that has very many.
  zstd_min_string_length: "512",
  // We decide when the log is written into the file: the queue keeps its commands until then.
  checkpoint_threshold: "1TB",
};

/** From here on the engine accesses no other file. */
export const ONLY_OWN_FILES = "SET enable_external_access = false";

/** The only folder besides its own file that the engine may access. A list can only be set in SQL. */
export function onlyFolder(folder: string): readonly string[] {
  return [`SET allowed_directories = [${quotedText(folder)}]`, ONLY_OWN_FILES];
}

/** The log is not written into the file when the store is closed: the next start does that, if it is needed. */
export const NO_CHECKPOINT_AT_END = "PRAGMA disable_checkpoint_on_shutdown";

/** How often the engine joins row groups of a table at a checkpoint: its own default, and never. */
const VACUUM_TASKS = { usual: 100, none: 0 };

/** Whether the next checkpoint joins row groups. */
export function vacuum(joinsGroups: boolean): string {
  return `SET GLOBAL max_vacuum_tasks = ${joinsGroups ? VACUUM_TASKS.usual : VACUUM_TASKS.none}`;
}

/** Size of the rows that the engine produces in advance. Its default is eight times this, and memory grows by much more. */
const RESULT_BUFFER = "128KB";

/**
 * Most keys of a join for which the engine reads only the row groups in whose bounds one of the keys is. For more, it reads all rows
 * between the least key and the greatest: by default for more than 50. The resources of a node are among the first and among the
 * last of the dictionary, which with 100,000 nodes takes four times as long.
 */
const KEYS_OF_JOIN = 2000;

/** What a connection begins with. */
export const readerSettings = [
  "SET TimeZone = 'UTC'",
  `SET streaming_buffer_size = '${RESULT_BUFFER}'`,
  `SET dynamic_or_filter_threshold = ${KEYS_OF_JOIN}`,
];

/**
 * By default an operator collects rows of small chunks until they fill one. Where a chunk has few rows because they
 * have megabytes, this needs memory that the engine does not count.
 */
export const OPERATOR_CACHE = {
  off: "SET enable_caching_operators = false",
  usual: "RESET enable_caching_operators",
} as const;

/** An engine of its own that converts a file in a folder and can do nothing else. */
export const converterSettings = (): Record<string, string> => ({
  ...ALWAYS,
  memory_limit: `${memoryBudget().engine}B`,
  threads: "1",
});

/** What such an engine begins with. */
export function converterScript(folder: string): string {
  const settings = [
    "SET TimeZone = 'UTC'",
    `SET temp_directory = ${quotedText(folder)}`,
    ...onlyFolder(folder),
    "SET lock_configuration = true",
  ];
  return settings.join("; ");
}
