import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, writeDurably } from "./durable.ts";
import type { QueueEntry } from "./entry.ts";

/** A command is given up when the process has ended this many times while it was tried by itself. */
const MOST_ENDS = 3;

/**
 * Commands at the front of the queue that the process may have been dealing with when it ended: those of the batch that was
 * being written and of the one that was being prepared.
 */
const IN_HAND = 512;

/** So few are tried by themselves at once; of more it is first found out whether they end the process at all. */
const FEW = 16;

/** What the file says. */
interface Note {
  /** Ids of commands that are being tried. */
  readonly trying: readonly number[];
  /** Ids of commands that are tried by themselves. */
  readonly alone: readonly number[];
  /** How often the process has ended while a command was tried by itself, by its id. */
  readonly ends: Readonly<Record<string, number>>;
}

const NOTHING: Note = { trying: [], alone: [], ends: {} };

/**
 * Notes on disk which commands are being tried, so that one that ends the process does not do so for ever. In normal
 * operation nothing is noted. A start that finds commands in the queue does not know whether one of them has ended the
 * process: it notes those that may have. If the process ends again before they are dealt with, each of them is tried by
 * itself, with a note before it, and one that has ended the process three times is given up. An innocent one succeeds when
 * it is tried by itself, whatever ended the process before.
 */
export class Attempts {
  readonly #path: string;
  readonly #folder: string;
  /** Commands that are tried together, under one note. */
  readonly #together = new Set<number>();
  /** Commands that are tried by themselves. */
  readonly #alone = new Set<number>();
  readonly #ends = new Map<number, number>();
  /** Whether there is a note. */
  #isNoted = false;
  /** The commands that are being tried, to be noted. */
  #trying: readonly number[] = [];
  #isPaused = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, "attempts");
  }

  /**
   * @param folder of the queue
   * @param left commands that an earlier process has left, oldest first
   */
  static async open(folder: string, left: readonly QueueEntry[]): Promise<Attempts> {
    const attempts = new Attempts(folder);
    await attempts.#recover(left);
    return attempts;
  }

  /** Whether there is nothing to be noted any more. */
  get isOver(): boolean {
    return this.#alone.size === 0 && this.#together.size === 0;
  }

  /** Whether a command is to be tried by itself; of any command, unless it is given. */
  isAlone(entry?: QueueEntry): boolean {
    return entry === undefined ? this.#alone.size > 0 : this.#alone.has(entry.id);
  }

  /** Why a command is given up, if it is. */
  problemOf({ id }: QueueEntry): string | undefined {
    const ends = this.#ends.get(id) ?? 0;
    return ends < MOST_ENDS ? undefined : `the process ended ${ends} times while this command was being stored`;
  }

  /** Notes that commands are being tried, where that matters; resolves when it is on disk. */
  async begin(ids: readonly number[]): Promise<void> {
    if (!ids.some((id) => this.#alone.has(id))) return;
    this.#trying = ids;
    await this.#write(ids);
  }

  /** The commands are dealt with, postponed or discarded. */
  async finish(ids: readonly number[]): Promise<void> {
    if (this.isOver) return;
    for (const id of ids) {
      this.#alone.delete(id);
      this.#together.delete(id);
      this.#ends.delete(id);
    }
    if (this.isOver) await this.#remove();
  }

  /** Nothing is tried at present: the process may end without any command being blamed. */
  async pause(): Promise<void> {
    if (!this.#isNoted || this.#isPaused) return;
    this.#isPaused = true;
    // There may be no room for another note; without any it is counted anew.
    if (this.#ends.size === 0 && this.#alone.size === 0) await this.#remove();
    else await this.#write([]).catch(() => this.#remove());
  }

  /** What was being tried before the pause is being tried again; resolves when that is on disk. */
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
    const next = left.filter(({ faults }) => faults.length === 0).slice(0, IN_HAND);
    const suspects = [...postponed, ...next].map(({ id }) => id);
    const set = suspects.length <= FEW ? this.#alone : this.#together;
    for (const id of suspects) set.add(id);
    if (this.#together.size === 0) return;
    this.#trying = suspects;
    await this.#write(suspects);
  }

  /** What cannot be read says nothing: then the process may end once more. */
  async #read(): Promise<Note> {
    try {
      const text = await readFile(this.#path, "utf8");
      this.#isNoted = true;
      const { trying, alone, ends } = JSON.parse(text) as Note;
      return { trying: [...trying], alone: [...alone], ends: { ...ends } };
    } catch {
      return NOTHING;
    }
  }

  async #write(trying: readonly number[]): Promise<void> {
    const note: Note = { trying, alone: [...this.#alone], ends: Object.fromEntries(this.#ends) };
    const isNew = !this.#isNoted;
    // Written over in place: a note that is cut says nothing, which costs one more attempt.
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
    // Where it stays, it is about commands that are not in the queue any more, or that will be tried by themselves once more.
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
