import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { CensusError, messageOf } from "../errors.ts";
import { remedyOf } from "../remedy.ts";
import { syncFolder, writeDurably } from "../durable-file.ts";

/** The file of a data directory that records what the database file must contain. */
export const noteFile = "store.json";

/** What a store's database file contained after its last checkpoint, recorded outside of the engine. */
export interface Note {
  readonly format: 1;
  /** The identity of the store, as in its database. */
  readonly store: string;
  /** The identity of its queue. */
  readonly queue: string;
  /** The queue may have removed commands up to this id. */
  readonly checkpointed: number;
  /** Number of checkpoints that had been written to the file. */
  readonly iteration: number;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly nodes: number;
  readonly reports: number;
  /** When that was, in UTC. */
  readonly written: string;
}

/** Bytes of a note, padded so that a longer one can be written in its place. */
const PADDED = 512;

/** `note` is undefined if there is none, or if it is damaged. @throws CensusError "bad-file" if it cannot be read */
export async function readNote(directory: string): Promise<{ note: Note | undefined; isDamaged: boolean }> {
  const text = await readFile(join(directory, noteFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    // A problem with the directory itself is reported when it is opened.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    const path = join(directory, noteFile);
    throw new CensusError("bad-file", `${path}: cannot be read: ${messageOf(error)}; ${remedyOf(error)}`, {
      cause: error,
    });
  });
  if (text === undefined) return { note: undefined, isDamaged: false };
  const note = parse(text);
  return { note, isDamaged: note === undefined };
}

function parse(text: string): Note | undefined {
  try {
    const note = JSON.parse(text) as Partial<Note>;
    const { format, store, queue, checkpointed, iteration } = note;
    const isNote = format === 1 && typeof store === "string" && typeof queue === "string";
    return isNote && Number.isInteger(checkpointed) && Number.isInteger(iteration) ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the note; resolves when it is on disk. */
export async function writeNote(directory: string, note: Note): Promise<void> {
  const path = join(directory, noteFile);
  const content = Buffer.from(`${JSON.stringify(note, null, 1)}\n`.padEnd(PADDED, "\n"));
  try {
    await write(`${path}.new`, "w", content);
    await rename(`${path}.new`, path);
    await syncFolder(directory);
  } catch (error) {
    // A full disk has no room for a second file, but it has room in place of the old one; the queue can then be emptied.
    await write(path, "r+", content).catch(() => {
      throw error;
    });
  }
}

async function write(path: string, flags: string, content: Uint8Array): Promise<void> {
  const file = await open(path, flags);
  try {
    await writeDurably(file, [content], 0);
  } finally {
    await file.close();
  }
}
