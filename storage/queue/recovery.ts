import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeDurably } from "./durable.ts";
import type { QueueEntry } from "./entry.ts";
import { readBytes, type Scan } from "./segment.ts";

/** How far the commands of a queue have been dealt with: all up to and including an id. */
export interface Progress {
  /** What the database holds, in its file or in the engine's log. */
  readonly stored: number;
  /** What the database file holds: the queue need not keep it. */
  readonly checkpointed: number;
}

/** What was found when the queue was opened. */
export interface Recovered {
  /** Commands that have not been stored, and those that were postponed, oldest first. */
  readonly entries: readonly QueueEntry[];
  /** Files that bytes were saved to that are no commands. */
  readonly damaged: readonly string[];
  /** Ids that should be there and are not, where nothing was found damaged. */
  readonly missing: { readonly from: number; readonly to: number } | undefined;
}

/**
 * The first commands behind `stored` that are not there though they were written.
 * @param chain ids of those that are, each with the id of the one that was written before it
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

/** Keeps what a damaged segment holds between its sound records: it may have been a command. */
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
  // Reported once: what is behind the last sound record is of no use.
  if (tail !== undefined) await handle.truncate(tail.from);
  return saved;
}
