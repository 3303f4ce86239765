import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "../queue/durable.ts";

/** The file of a data directory that says what the database file must hold. */
export const noteFile = "store.json";

/** What a store's database file held after its last checkpoint, noted outside of the engine. */
export interface Note {
  readonly format: 1;
  /** The identity of the store, which its database has, too. */
  readonly store: string;
  /** The identity of its queue. */
  readonly queue: string;
  /** The queue may have let go of commands up to this id. */
  readonly checkpointed: number;
  /** Checkpoints that had been written to the file. */
  readonly iteration: number;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly nodes: number;
  readonly reports: number;
  /** When that was, in UTC. */
  readonly written: string;
}

/** Blanks behind a note, so that one that is longer fits in its place. */
const PADDED = 512;

/** Undefined where there is none; `isDamaged` of one that cannot be read as such. */
export async function readNote(directory: string): Promise<{ note: Note | undefined; isDamaged: boolean }> {
  const text = await readFile(join(directory, noteFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    // What is wrong with the directory itself is found out when it is opened.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
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

/** Writes a note in the place of the one before; resolves when it is on disk. */
export async function writeNote(directory: string, note: Note): Promise<void> {
  const path = join(directory, noteFile);
  const content = Buffer.from(`${JSON.stringify(note, null, 1)}\n`.padEnd(PADDED, "\n"));
  try {
    await write(`${path}.new`, "w", content);
    await rename(`${path}.new`, path);
    await syncFolder(directory);
  } catch (error) {
    // A disk that is full has room for it in the place of the other, and may be full of what it would let go of.
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
