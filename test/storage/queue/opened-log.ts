import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, vi } from "vitest";
import type { CommandLog, QueueEntry } from "#storage/queue/entry.ts";
import { FileLog } from "#storage/queue/file-log.ts";
import { encodeRecord } from "#storage/queue/record.ts";
import type { Ids } from "#storage/queue/recovery.ts";
import { newEntry } from "./entries.ts";

/** Logs of processes that were killed, for the test; their files are closed after it. */
export const opened: FileLog[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const log of opened.splice(0)) await log.close();
});

export const payload = (text: string): Buffer => Buffer.from(JSON.stringify(text));

export interface Opened {
  readonly log: FileLog;
  readonly left: readonly QueueEntry[];
  readonly damaged: readonly string[];
  /** Acknowledged commands that are gone. */
  readonly missing: readonly Ids[];
}

export async function reopen(folder: string, applied = 0): Promise<Opened> {
  let missing: readonly Ids[] = [];
  const { log, recovered } = await FileLog.open(
    folder,
    () => ({ stored: applied, checkpointed: applied }),
    (_identity, losses) => (missing = losses.missing),
  );
  opened.push(log);
  return { log, left: recovered.entries, damaged: recovered.damaged, missing };
}

/** Puts commands in and ends without closing the log, as a process that is killed does. */
export async function leave(folder: string, ...texts: string[]): Promise<QueueEntry[]> {
  const { log } = await reopen(folder);
  const entries: QueueEntry[] = [];
  for (const text of texts) entries.push(await log.append(newEntry(), payload(text)));
  return entries;
}

/** As the store does once the database file has what the commands did. */
export async function release(log: CommandLog, through: number): Promise<void> {
  await log.release(through);
  await log.checkpointed(through);
}

export const segments = async (folder: string): Promise<string[]> => (await readdir(join(folder, "commands"))).sort();
export const ids = (entries: readonly QueueEntry[]): number[] => entries.map(({ id }) => id);
export const texts = (log: CommandLog, entries: readonly QueueEntry[]): Promise<string[]> =>
  Promise.all(entries.map(async (entry) => JSON.parse(Buffer.from(await log.read(entry)).toString()) as string));

/** The prototype of every file handle: to count its calls, or to make them fail. */
export async function fileHandles(path: string): Promise<FileHandle> {
  const handle = await open(path, "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

export const record = (id: number): Buffer => Buffer.concat(encodeRecord(id, newEntry(), payload(`command ${id}`)));
export const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
