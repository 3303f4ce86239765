import { randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "../durable-file.ts";
import type { NewCommand, QueueEntry } from "./entry.ts";
import { encodeRecord, HEADER } from "./record.ts";

/*
 * Commands that are accepted together, all or none, in a segment of their own. It is written under another name, with
 * commands numbered from 1, while others are appended to the queue. Its final name contains the ids of its commands;
 * renaming it adds all of them to the queue at once.
 */

const UNFINISHED = ".new";

/** The numbers in the name of a bundle. */
export interface Numbering {
  /** The id of its first command. */
  readonly first: number;
  /** The id of the command that was written before it. */
  readonly before: number;
}

/** A bundle that is on disk, but not part of the queue yet. */
export interface WrittenBundle {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Its commands in their order, with the place of their payloads: bytes from the start of the file. */
  readonly commands: readonly { readonly entry: Omit<QueueEntry, "id">; readonly at: number }[];
}

/** Undefined for other files. */
export function numberingOf(name: string): Numbering | undefined {
  const [, first, before] = /(\d{16})-(\d{16})\.bundle$/.exec(name) ?? [];
  return first === undefined ? undefined : { first: Number(first), before: Number(before) };
}

/**
 * Writes a bundle; resolves when it is on disk. A bundle without commands has no file.
 * @throws errors of the commands' source; an error of the system when it cannot be written. Then the file is removed
 */
export async function writeBundle(folder: string, commands: AsyncIterable<NewCommand>): Promise<WrittenBundle> {
  const path = join(folder, `${randomUUID()}${UNFINISHED}`);
  const file = await open(path, "wx");
  try {
    const written = await writeCommands(file, commands);
    if (written.commands.length === 0) await rm(path);
    return { path, ...written };
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

async function writeCommands(file: FileHandle, commands: AsyncIterable<NewCommand>) {
  const written: WrittenBundle["commands"][number][] = [];
  let [size, start] = [0, 0];
  let buffers: Uint8Array[] = [];
  for await (const { entry, payload } of commands) {
    const record = encodeRecord(written.length + 1, entry, payload);
    const at = size + HEADER + (record[1]?.length ?? 0);
    written.push({ at, entry: { ...entry, size: payload.length } });
    buffers.push(...record);
    size = at + payload.length;
    if (size - start < 4 * 1024 * 1024) continue;
    await writeDurably(file, buffers, start);
    [start, buffers] = [size, []];
  }
  await writeDurably(file, buffers, start);
  return { size, commands: written };
}

function digits(id: number): string {
  return String(id).padStart(16, "0");
}

/**
 * Makes a bundle part of the queue.
 * @returns its final path
 * @throws an error of the system when that fails; then the file is removed, if the disk allows that
 */
export async function placeBundle(folder: string, path: string, { first, before }: Numbering): Promise<string> {
  const final = join(folder, `${digits(first)}-${digits(before)}.bundle`);
  try {
    await rename(path, final);
    await syncFolder(folder);
    return final;
  } catch (error) {
    for (const each of [final, path]) await rm(each, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Removes bundles that were being written when a process ended: none of their commands was acknowledged. */
export async function removeUnfinishedBundles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(UNFINISHED));
  for (const name of names) await rm(join(folder, name), { force: true });
}
