import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeDurably } from "./durable.ts";
import type { QueueEntry } from "./entry.ts";
import { readBytes, type Scan } from "./segment.ts";

/** How far the commands of a queue are processed: all up to and including an id. */
export interface Progress {
  /** What is in the database, in its file or in the engine's log. */
  readonly stored: number;
  /** What is in the database file: the queue need not keep it. */
  readonly checkpointed: number;
}

/** What was found when the queue was opened. */
export interface Recovered {
  /** Commands that have not been stored, and those that were postponed, oldest first. */
  readonly entries: readonly QueueEntry[];
  /** Files with saved bytes that are not commands. */
  readonly damaged: readonly string[];
  /** Missing ids, where no damage was found. */
  readonly missing: { readonly from: number; readonly to: number } | undefined;
}

/**
 * The first commands after `stored` that were written and are missing.
 * @param chain ids of the existing commands, each with the id of the command that was written before it
 */
export function missingOf(chain: ReadonlyMap<number, number>, stored: number): Recovered["missing"] {
  let last = stored;
  for (const [id, before] of [...chain].sort(([a], [b]) => a - b)) {
    if (id <= stored) continue;
    if (before > last) return { from: last + 1, to: before };
    last = id;
  }
  return undefined;
}

/** Saves the bytes of a damaged segment between its valid records: they may have been a command. */
export async function saveDamage(
  source: string,
  handle: FileHandle,
  { damage, tail }: Scan,
  folder: string,
): Promise<string[]> {
  const saved: string[] = [];
  const all = tail === undefined ? damage : [...damage, tail];
  if (all.length > 0) await makeFolder(folder);
  for (const { from, to } of all) {
    const path = join(folder, `${source.split(/[\\/]/).at(-1) ?? ""}-${from}`);
    const file = await open(path, "w");
    await writeDurably(file, [await readBytes(handle, from, to - from)], 0);
    await file.close();
    saved.push(path);
  }
  // Reported once: bytes after the last valid record are not used.
  if (tail !== undefined) await handle.truncate(tail.from);
  return saved;
}
