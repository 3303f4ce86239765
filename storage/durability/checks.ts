import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "../errors.ts";
import { RESTORE } from "../remedy.ts";
import { queueFolder } from "../queue/folder.ts";
import { idsText, type Losses } from "../queue/recovery.ts";
import { HEADERS } from "../engine/file-layout.ts";
import { readFileHeader } from "./file-header.ts";
import { type Note, noteFile } from "./note.ts";

/** What a data directory is compared with when it is opened. */
export interface Expected {
  readonly directory: string;
  /** The database file. */
  readonly path: string;
  readonly note: Note | undefined;
  /** Whether a store that holds less than its note says is opened nevertheless. */
  readonly acceptsLoss: boolean;
}

const ACCEPT = "or start once with --accept-loss to continue with what is present";
/** Damaged places that a message names. */
const MAX_PLACES = 3;

/**
 * Checks the database file before the engine opens it.
 * @throws CensusError "bad-file" if it is missing, truncated, older than its note, or not a database
 */
export function checkFile({ path, note, acceptsLoss }: Expected): void {
  const header = readFileHeader(path);
  if (header === undefined) {
    if (note === undefined || acceptsLoss) return;
    throw damagedStore(path, `is missing; ${held(note)}. ${RESTORE}, ${ACCEPT}: the commands in the queue`);
  }
  const { isDatabase, size, iteration } = header;
  if (!isDatabase && size > 0) {
    throw damagedStore(
      path,
      `is not a database of this engine, or its first bytes are damaged. ${RESTORE}, or name another file`,
    );
  }
  const expected = note?.iteration === iteration ? note.bytes : isDatabase ? HEADERS : 0;
  if (size < expected) {
    throw damagedStore(path, `is cut off: it has ${size} bytes of ${expected}. ${RESTORE}`);
  }
  if (note === undefined || acceptsLoss || iteration >= note.iteration) return;
  throw damagedStore(
    path,
    `is an older state of the store than the one of ${note.written}: checkpoint ${iteration}, not ${note.iteration}; ${held(note)}. ` +
      `Put that file back, ${ACCEPT} and in the queue`,
  );
}

/**
 * Removes the file of a first start that failed before it had made a store, as on a full disk. A log is renamed.
 * @param most bytes that such a file may have: a file without all headers cannot hold anything
 * @returns whether there was such a file
 */
export function removeUnfinished({ directory, path, note }: Expected, most = HEADERS - 1): boolean {
  const header = readFileHeader(path);
  // Nothing was ever checkpointed, and no queue was opened: no command can have been acknowledged.
  if (header === undefined || header.iteration > 0 || note !== undefined || existsSync(join(directory, "queue"))) {
    return false;
  }
  const isEmpty = header.size === 0 || (header.isDatabase && header.size <= most);
  if (!isEmpty) return false;
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${path}.wal.unfinished`);
  rmSync(path);
  return true;
}

/** What the database contains about itself. */
export interface Found {
  /** The identity of the store. */
  readonly store: string;
  /** Commands of the queue up to this id are stored. */
  readonly stored: number;
}

/**
 * Compares an opened store with its note.
 * @returns what is missing and was accepted, as a sentence
 * @throws CensusError "bad-file" if it is another store, or if it lacks commands that the queue has removed
 */
export function checkStore(
  { directory, path, note, acceptsLoss }: Expected,
  found: Found,
  queue: QueueFound,
): string | undefined {
  const problem = note === undefined ? undefined : problemOf(path, note, found, queue);
  if (problem === undefined) return checkQueue(directory, acceptsLoss, queue);
  if (acceptsLoss) return `${problem}: accepted`;
  throw new CensusError("bad-file", `${problem}; ${note === undefined ? "" : `${held(note)}. `}${RESTORE}, ${ACCEPT}`, {
    cause: directory,
  });
}

/** What the queue contains. */
export interface QueueFound extends Losses {
  readonly identity: string;
}

function checkQueue(directory: string, acceptsLoss: boolean, { missing, damage }: QueueFound): string | undefined {
  if (missing.length === 0) return undefined;
  const place = join(directory, queueFolder, "commands");
  const damaged = damage.length === 0 ? "" : `; damaged: ${shortList(damage)}`;
  const problem = `${place}: the queue lacks acknowledged commands (${idsText(missing)})${damaged}`;
  if (acceptsLoss) return `${problem}: accepted`;
  throw new CensusError(
    "bad-file",
    `${problem}. Put the files of the queue back, ${ACCEPT}; nodes send facts and catalogs again (docs/recovery.md)`,
    { cause: directory },
  );
}

/** The first few, and how many more. */
function shortList(places: readonly string[]): string {
  const more = places.length - MAX_PLACES;
  return `${places.slice(0, MAX_PLACES).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function problemOf(path: string, note: Note, { store, stored }: Found, { identity }: QueueFound): string | undefined {
  if (store !== note.store) return `${path}: is the file of another store than ${noteFile} describes`;
  if (identity !== note.queue) {
    return `${path}: its queue is missing, or belongs to another store: acknowledged commands may be lost`;
  }
  if (stored < note.checkpointed) {
    return `${path}: lacks commands ${stored + 1} to ${note.checkpointed}, which the queue has removed`;
  }
  return undefined;
}

function held({ nodes, reports, written }: Note): string {
  return `on ${written} it held ${nodes} nodes and ${reports} reports`;
}

function damagedStore(path: string, text: string): CensusError {
  return new CensusError("bad-file", `${path}: ${text}`);
}
