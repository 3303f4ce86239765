import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder, syncFolder, writeDurably } from "../durable-file.ts";
import type { QueueEntry } from "./entry.ts";
import { decodeHeader, decodeRecord, encodeRecord, HEADER } from "./record.ts";

/** The ending of a file which says that a command must not be tried again. */
const DROPPED = ".dropped";

/** What was found when the folder was opened. */
interface Recovered {
  /** By id, ascending. */
  readonly entries: readonly QueueEntry[];
  /** Files without a valid command, moved to the folder for damaged data. */
  readonly damaged: readonly string[];
}

/**
 * Commands that have failed and wait for another attempt, each in a file of its own: the log removes all commands
 * before its current one, except these. A file is replaced atomically, so an existing one is complete.
 */
export class Postponed {
  readonly #folder: string;
  readonly #ids = new Set<number>();
  /** Those that have been stored, but may only be in the engine's log. */
  readonly #settled = new Set<number>();
  /** Commands that the log still has and that must not be tried again. */
  readonly #dropped = new Set<number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  /** Stores a command, replacing what was stored of it before; resolves when it is on disk. */
  async put(entry: QueueEntry, payload: Uint8Array): Promise<void> {
    await makeFolder(this.#folder);
    const path = this.#path(entry.id);
    const file = await open(`${path}.new`, "w");
    try {
      await writeDurably(file, encodeRecord(entry.id, entry, payload), 0);
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    await syncFolder(this.#folder);
    this.#ids.add(entry.id);
  }

  /** The payload of a postponed command. */
  async read(id: number): Promise<Uint8Array> {
    const path = this.#path(id);
    const found = decodePostponed(await readFile(path));
    if (found === undefined) throw new Error(`${path} does not contain the command that was written to it`);
    return found.payload;
  }

  /** A command has been stored: its file remains until {@link checkpointed}. */
  settle(id: number): void {
    if (this.#ids.has(id)) this.#settled.add(id);
  }

  /** A command must not be tried again. @param isInLog whether the log still has it; then that is recorded on disk */
  async drop(id: number, isInLog: boolean): Promise<void> {
    if (isInLog) {
      await makeFolder(this.#folder);
      await (await open(this.#mark(id), "w")).close();
      await syncFolder(this.#folder);
      this.#dropped.add(id);
    }
    await this.#remove(id);
  }

  isDropped(id: number): boolean {
    return this.#dropped.has(id);
  }

  /** All stored commands are in the database file, and the log only has commands after `through`. */
  async checkpointed(through: number): Promise<void> {
    for (const id of this.#settled) await this.#remove(id);
    for (const id of this.#dropped) {
      if (id > through) continue;
      await rm(this.#mark(id), { force: true });
      this.#dropped.delete(id);
    }
  }

  /** Commands that had been stored and must be tried again. */
  async settledEntries(): Promise<readonly QueueEntry[]> {
    const entries: QueueEntry[] = [];
    for (const id of this.#settled) {
      const found = decodePostponed(await readFile(this.#path(id)));
      if (found !== undefined) entries.push(found.entry);
      this.#settled.delete(id);
    }
    return entries;
  }

  async #remove(id: number): Promise<void> {
    if (!this.#ids.has(id)) return;
    await rm(this.#path(id), { force: true });
    this.#ids.delete(id);
    this.#settled.delete(id);
  }

  /** @param damagedFolder the folder for damaged files */
  async recover(damagedFolder: string): Promise<Recovered> {
    const entries: QueueEntry[] = [];
    const damaged: string[] = [];
    const names: string[] = await readdir(this.#folder).catch(() => []);
    for (const name of names.sort()) {
      const path = join(this.#folder, name);
      if (name.endsWith(DROPPED)) {
        this.#dropped.add(Number.parseInt(name, 10));
        continue;
      }
      const found = name.endsWith(".new") ? undefined : decodePostponed(await readFile(path));
      if (found !== undefined) {
        entries.push(found.entry);
        this.#ids.add(found.entry.id);
      } else if (name.endsWith(".new")) {
        // Incomplete when the process ended: the log still has the command, or the file without this ending.
        await rm(path);
      } else {
        await makeFolder(damagedFolder);
        await rename(path, join(damagedFolder, basename(path)));
        damaged.push(join(damagedFolder, basename(path)));
      }
    }
    return { entries, damaged };
  }

  #mark(id: number): string {
    return `${this.#path(id)}${DROPPED}`;
  }

  #path(id: number): string {
    return join(this.#folder, String(id).padStart(16, "0"));
  }
}

/** The command in a postponed file; undefined where the file is damaged. */
export function decodePostponed(bytes: Buffer): { entry: QueueEntry; payload: Uint8Array } | undefined {
  const header = decodeHeader(bytes);
  const entry = header && decodeRecord(header, bytes.subarray(HEADER));
  return header && entry && { entry, payload: bytes.subarray(HEADER + header.description) };
}
