import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeDurably } from "../durable-file.ts";
import type { QueueEntry } from "./entry.ts";
import { type Damage, readBytes, type Scan } from "./segment.ts";

/** How far the commands of a queue are processed: all up to and including an id. */
export interface Progress {
  /** What is in the database, in its file or in the engine's log. */
  readonly stored: number;
  /** What is in the database file: the queue need not keep it. */
  readonly checkpointed: number;
}

/** Ids of commands, both included. */
export interface Ids {
  readonly from: number;
  readonly to: number;
}

/** What is wrong with a queue, found before anything in it is changed. */
export interface Losses {
  /** Acknowledged commands that are neither in the queue nor in the database. */
  readonly missing: readonly Ids[];
  /** Places in its files that are not commands. */
  readonly damage: readonly string[];
}

/** What was found when the queue was opened. */
export interface Recovered {
  /** Commands that have not been stored, and those that were postponed, oldest first. */
  readonly entries: readonly QueueEntry[];
  /** Files with saved bytes that are not commands. */
  readonly damaged: readonly string[];
  /** Commands that are missing, and that the engine's log has: nothing else has them. */
  readonly inEngineOnly: readonly Ids[];
  /** Commands that had been stored, and are stored again, because the engine's log is missing or damaged. */
  readonly again: Ids | undefined;
}

/**
 * The commands after `stored` that were acknowledged and are missing.
 * @param chain ids of the existing commands, each with the id of the command that was written before it
 * @param acknowledged the last command that is known to have been acknowledged
 */
export function missingOf(chain: ReadonlyMap<number, number>, stored: number, acknowledged = 0): Ids[] {
  const missing: Ids[] = [];
  let last = stored;
  for (const [id, before] of [...chain].sort(([a], [b]) => a - b)) {
    if (id <= stored) continue;
    if (before > last) missing.push({ from: last + 1, to: before });
    last = id;
  }
  if (last < acknowledged) missing.push({ from: last + 1, to: acknowledged });
  return missing;
}

/** The part of these up to an id. */
export function upTo(through: number, all: readonly Ids[]): Ids[] {
  return all.filter(({ from }) => from <= through).map(({ from, to }) => ({ from, to: Math.min(to, through) }));
}

/** Ids as text, e.g. `3 and 7 to 9`. */
export function idsText(all: readonly Ids[]): string {
  const parts = all.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`));
  const [last = "", ...others] = parts.reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

/** The places of a segment that are not commands. */
export function damageOf({ damage, tail }: Scan): readonly Damage[] {
  return tail === undefined ? damage : [...damage, tail];
}

/** Saves the bytes of a damaged segment between its valid records: they may have been a command. */
export async function saveDamage(source: string, handle: FileHandle, scan: Scan, folder: string): Promise<string[]> {
  const saved: string[] = [];
  const { tail } = scan;
  const all = damageOf(scan);
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
