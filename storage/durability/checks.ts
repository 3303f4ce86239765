import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "../errors.ts";
import type { Queue } from "../queue/open.ts";
import { HEADERS, readFileHeader } from "./file-header.ts";
import { type Note, noteFile } from "./note.ts";

/** What a data directory is held against when it is opened. */
export interface Expected {
  readonly directory: string;
  /** The database file. */
  readonly path: string;
  readonly note: Note | undefined;
  /** Whether a store that holds less than was noted is opened all the same. */
  readonly acceptsLoss: boolean;
}

const ACCEPT = "or start once with --accept-loss to go on with what is there";
const RESTORE = "Restore a backup (see docs/recovery.md; census verify says what is damaged)";

/**
 * Looks at the database file before the engine does.
 * @throws CensusError "bad-file" where it is missing, cut off, older than was noted, or no database
 */
export function checkFile({ path, note, acceptsLoss }: Expected): void {
  const header = readFileHeader(path);
  if (header === undefined) {
    if (note === undefined || acceptsLoss) return;
    throw refusal(path, `is missing; ${held(note)}. ${RESTORE}, ${ACCEPT}: the commands in the queue`);
  }
  const { isDatabase, size, iteration } = header;
  if (!isDatabase && size > 0) {
    throw refusal(
      path,
      `is no database of this engine, or its first bytes are damaged. ${RESTORE}, or name another file`,
    );
  }
  const expected = note?.iteration === iteration ? note.bytes : isDatabase ? HEADERS : 0;
  if (size < expected) {
    throw refusal(path, `is cut off: it has ${size} bytes of ${expected}. ${RESTORE}`);
  }
  if (note === undefined || acceptsLoss || iteration >= note.iteration) return;
  throw refusal(
    path,
    `is an older state of the store than the one of ${note.written}: checkpoint ${iteration}, not ${note.iteration}; ${held(note)}. ` +
      `Put that file back, ${ACCEPT} and in the queue`,
  );
}

/**
 * Takes away what a first start has left that could not make a store, as on a full disk; a log is kept under another name.
 * @param most bytes that such a file may have: with less than all headers it cannot hold anything
 * @returns whether there was such a thing
 */
export function removeUnfinished({ directory, path, note }: Expected, most = HEADERS - 1): boolean {
  const header = readFileHeader(path);
  // Nothing was ever checkpointed, and no queue was opened: nobody has been told that anything is kept.
  if (header === undefined || header.iteration > 0 || note !== undefined || existsSync(join(directory, "queue"))) {
    return false;
  }
  const isEmpty = header.size === 0 || (header.isDatabase && header.size <= most);
  if (!isEmpty) return false;
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${path}.wal.unfinished`);
  rmSync(path);
  return true;
}

/** What the database says of itself once it is open. */
export interface Found {
  /** The identity of the store. */
  readonly store: string;
  /** Commands of the queue up to this id are stored. */
  readonly stored: number;
}

/**
 * Holds an opened store against what was noted.
 * @returns what is missing and was accepted, as a sentence
 * @throws CensusError "bad-file" where it is another store, or commands are missing that the queue has let go of
 */
export function checkStore(
  { directory, path, note, acceptsLoss }: Expected,
  found: Found,
  { identity, missing }: Pick<Queue, "identity" | "missing">,
): string | undefined {
  const problem = note === undefined ? undefined : problemOf(path, note, found, { identity, missing });
  if (problem === undefined) return undefined;
  if (acceptsLoss) return `${problem}: accepted`;
  throw new CensusError("bad-file", `${problem}; ${note === undefined ? "" : `${held(note)}. `}${RESTORE}, ${ACCEPT}`, {
    cause: directory,
  });
}

function problemOf(
  path: string,
  note: Note,
  { store, stored }: Found,
  { identity, missing }: Pick<Queue, "identity" | "missing">,
): string | undefined {
  if (store !== note.store) return `${path}: is the file of another store than ${noteFile} is about`;
  if (identity !== note.queue) {
    return `${path}: its queue is missing, or is another one's: commands that were acknowledged may be lost`;
  }
  if (stored < note.checkpointed) {
    return `${path}: lacks commands ${stored + 1} to ${note.checkpointed}, which the queue has let go of`;
  }
  if (missing !== undefined) return `${path}: commands ${missing.from} to ${missing.to} are missing from the queue`;
  return undefined;
}

function held({ nodes, reports, written }: Note): string {
  return `on ${written} it held ${nodes} nodes and ${reports} reports`;
}

function refusal(path: string, text: string): CensusError {
  return new CensusError("bad-file", `${path}: ${text}`);
}
