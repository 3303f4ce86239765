import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "../durable-file.ts";
import type { QueueEntry } from "./entry.ts";

/** The content of the file. */
interface Note {
  /** Ids of commands in progress. */
  readonly trying: readonly number[];
  /** Ids of commands that are tried alone. */
  readonly alone: readonly number[];
  /** How often the process has ended while a command was tried alone, by its id. */
  readonly ends: Readonly<Record<string, number>>;
}

const EMPTY_NOTE: Note = { trying: [], alone: [], ends: {} };

/**
 * Records on disk which commands are in progress, so that a command that ends the process does not do so forever. In
 * normal operation nothing is recorded. A start that finds commands in the queue does not know whether one of them has
 * ended the process: it records those that may have. If the process ends again before they are stored, each of them is
 * tried alone, with a record before it, and one that has ended the process three times is discarded. A harmless command
 * succeeds when it is tried alone, whatever ended the process before.
 */
export class Attempts {
  readonly #path: string;
  readonly #folder: string;
  /** Commands that are tried together, under one record. */
  readonly #together = new Set<number>();
  /** Commands that are tried alone. */
  readonly #alone = new Set<number>();
  readonly #ends = new Map<number, number>();
  /** Whether there is a record. */
  #isNoted = false;
  /** The commands in progress, to be recorded. */
  #trying: readonly number[] = [];
  #isPaused = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, "attempts");
  }

  /**
   * @param folder of the queue
   * @param left commands of an earlier process, oldest first
   */
  static async open(folder: string, left: readonly QueueEntry[]): Promise<Attempts> {
    const attempts = new Attempts(folder);
    await attempts.#recover(left);
    return attempts;
  }

  /** Whether nothing needs to be recorded any more. */
  get isOver(): boolean {
    return this.#alone.size === 0 && this.#together.size === 0;
  }

  /** Whether a command must be tried alone; without an argument: whether any command must. */
  isAlone(entry?: QueueEntry): boolean {
    return entry === undefined ? this.#alone.size > 0 : this.#alone.has(entry.id);
  }

  /** Why a command must be discarded, if it must. */
  problemOf({ id }: QueueEntry): string | undefined {
    const ends = this.#ends.get(id) ?? 0;
    return ends < 3 ? undefined : `the process ended ${ends} times while this command was being stored`;
  }

  /** Records that commands are in progress, where needed; resolves when the record is on disk. */
  async begin(ids: readonly number[]): Promise<void> {
    if (!ids.some((id) => this.#alone.has(id))) return;
    this.#trying = ids;
    await this.#write(ids);
  }

  /** The commands are stored, postponed or discarded. */
  async finish(ids: readonly number[]): Promise<void> {
    if (this.isOver) return;
    for (const id of ids) {
      this.#alone.delete(id);
      this.#together.delete(id);
      this.#ends.delete(id);
    }
    if (this.isOver) await this.#remove();
  }

  /** Nothing is in progress: the process may end without a command being blamed. */
  async pause(): Promise<void> {
    if (!this.#isNoted || this.#isPaused) return;
    this.#isPaused = true;
    // There may be no space for another record; without one, the counting starts again.
    if (this.#ends.size === 0 && this.#alone.size === 0) await this.#remove();
    else await this.#write([]).catch(() => this.#remove());
  }

  /** The commands before the pause are in progress again; resolves when that is on disk. */
  async resume(): Promise<void> {
    if (!this.#isPaused) return;
    await this.#write(this.#trying);
    this.#isPaused = false;
  }

  async #recover(left: readonly QueueEntry[]): Promise<void> {
    const noted = await this.#read();
    const isLeft = new Set(left.map(({ id }) => id));
    for (const [id, ends] of Object.entries(noted.ends)) if (isLeft.has(Number(id))) this.#ends.set(Number(id), ends);
    const [only, ...more] = noted.trying;
    if (only !== undefined && more.length === 0 && isLeft.has(only)) {
      this.#ends.set(only, (this.#ends.get(only) ?? 0) + 1);
    }
    const tried = noted.trying.filter((id) => isLeft.has(id));
    for (const id of [...tried, ...noted.alone, ...this.#ends.keys()]) if (isLeft.has(id)) this.#alone.add(id);
    if (this.#alone.size === 0) await this.#suspect(left);
  }

  async #suspect(left: readonly QueueEntry[]): Promise<void> {
    if (left.length === 0) return this.#remove();
    const postponed = left.filter(({ faults }) => faults.length > 0);
    // Those of the batch being written and of the one being prepared may have been in progress when the process ended.
    const next = left.filter(({ faults }) => faults.length === 0).slice(0, 512);
    const suspects = [...postponed, ...next].map(({ id }) => id);
    // Few are tried alone immediately; for more, it is first found out whether they end the process at all.
    const set = suspects.length <= 16 ? this.#alone : this.#together;
    for (const id of suspects) set.add(id);
    if (this.#together.size === 0) return;
    this.#trying = suspects;
    await this.#write(suspects);
  }

  /** An unreadable record is ignored: then the process may end once more. */
  async #read(): Promise<Note> {
    try {
      const text = await readFile(this.#path, "utf8");
      this.#isNoted = true;
      const { trying, alone, ends } = JSON.parse(text) as Note;
      return { trying: [...trying], alone: [...alone], ends: { ...ends } };
    } catch {
      return EMPTY_NOTE;
    }
  }

  async #write(trying: readonly number[]): Promise<void> {
    const note: Note = { trying, alone: [...this.#alone], ends: Object.fromEntries(this.#ends) };
    const isNew = !this.#isNoted;
    // Overwritten in place: an incomplete record is ignored, which costs one more attempt.
    const file = await open(this.#path, "w", 0o600);
    this.#isNoted = true;
    try {
      await writeDurably(file, [Buffer.from(JSON.stringify(note))], 0);
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(this.#folder);
  }

  async #remove(): Promise<void> {
    if (!this.#isNoted) return;
    this.#isNoted = false;
    // If it remains, it refers to commands that are not in the queue any more, or that will be tried alone once more.
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
