import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CensusError, messageOf, systemCodeOf } from "../errors.ts";
import { memoryBudget } from "../memory/budget.ts";
import { remedyOf } from "../remedy.ts";
import { placeBundle, removeUnfinishedBundles, writeBundle, type WrittenBundle } from "./bundle.ts";
import { type NewCommand } from "./entry.ts";
import type { CommandLog, NewEntry, QueueEntry, Retained } from "./entry.ts";
import { type DurableFile, makeFolder, openDurably, syncFolder, writeDurably } from "./durable.ts";
import { Postponed } from "./postponed.ts";
import { encodeRecord, END, HEADER } from "./record.ts";
import { missingOf, type Progress, type Recovered, saveDamage } from "./recovery.ts";
import { isSegment, readBytes, scanSegment } from "./segment.ts";

/** A segment that has grown to this many bytes is followed by another one. */
const SEGMENT = 8 * 1024 * 1024;

/** Bytes that are written and made durable in one go; what waits beyond them is in the next go. */
const GROUP = 32 * 1024 * 1024;

/** Segments kept to be written over; more are deleted. */
const SPARES = 8;

interface Segment {
  readonly path: string;
  readonly file: DurableFile;
  /** Bytes that hold whole records which are not all in the database file. */
  size: number;
  /** The highest id in it. */
  last: number;
  /** Whether it was made by this process and nothing has ever gone wrong with it. */
  isReusable: boolean;
}

interface Pending {
  readonly entry: NewEntry;
  readonly payload: Uint8Array;
  readonly isWanted: boolean;
  readonly resolve: (entry: QueueEntry) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingBundle {
  readonly bundle: WrittenBundle;
  readonly resolve: (entries: readonly QueueEntry[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Place {
  readonly segment: Segment;
  readonly at: number;
  /** The payload itself, where it is still in memory. */
  readonly recent: Uint8Array | undefined;
}

/**
 * The queue on disk: segments that are appended to. Commands that come while the disk is busy are made durable together, by
 * one write. A command stays here until what it did is in the database file, whatever becomes of the engine's log. A segment
 * whose commands all are is written over from its start, or deleted where there are enough: to write where a file has its
 * place already takes a disk half as long as to make it longer.
 */
export class FileLog implements CommandLog {
  /** Those that are wanted soon, in memory; but all of them are in a file. */
  readonly holdsPayloads = false;
  /** Tells this queue from any other, so that a store knows whose progress it has noted. */
  readonly identity: string;
  readonly #folder: string;
  readonly #segments: Segment[] = [];
  /** Those of whose commands none has to be kept, to be written over. */
  readonly #spares: Segment[] = [];
  readonly #places = new Map<number, Place>();
  readonly #postponed: Postponed;
  /** Bytes of payloads that are kept in memory as well, since most are wanted a moment later. */
  readonly #recentMost = memoryBudget().recentPayloads;
  /** Bytes of payloads that are in memory. */
  #recent = 0;
  #pending: Pending[] = [];
  readonly #bundles: PendingBundle[] = [];
  #flushing: Promise<void> | undefined;
  #next = 1;
  /** The last command that is in a file. */
  #written = 0;
  #checkpointed = 0;
  /** Whether the last segment may be appended to. */
  #isOpen = false;

  private constructor(folder: string, identity: string) {
    this.#folder = join(folder, "commands");
    this.#postponed = new Postponed(join(folder, "postponed"));
    this.identity = identity;
  }

  /**
   * Opens the queue in `folder`, made if it is not there.
   * @param progress of a queue with this identity
   * @throws CensusError "bad-file" when the folder cannot be used
   */
  static async open(
    folder: string,
    progress: (identity: string) => Progress,
  ): Promise<{ log: FileLog; recovered: Recovered }> {
    try {
      await makeFolder(join(folder, "commands"));
      const log = new FileLog(folder, await identityOf(folder));
      const recovered = await log.#recover(progress(log.identity), join(folder, "damaged"));
      return { log, recovered };
    } catch (error) {
      if (error instanceof CensusError) throw error;
      throw new CensusError("bad-file", `${folder}: the queue cannot be opened: ${messageOf(error)}`, { cause: error });
    }
  }

  async append(entry: NewEntry, payload: Uint8Array, isWanted = true): Promise<QueueEntry> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ entry, payload, isWanted, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]> {
    let bundle: WrittenBundle;
    try {
      bundle = await writeBundle(this.#folder, commands);
    } catch (error) {
      // What is wrong with the commands themselves is their source's to say.
      if (error instanceof CensusError || systemCodeOf(error) === undefined) throw error;
      throw noneAccepted(error);
    }
    if (bundle.commands.length === 0) return [];
    return new Promise((resolve, reject) => {
      this.#bundles.push({ bundle, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async read({ id, size }: QueueEntry): Promise<Uint8Array> {
    if (this.#postponed.has(id)) return this.#postponed.read(id);
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`command ${id} is not in the queue`);
    if (place.recent !== undefined) return place.recent;
    const bytes = await readBytes(place.segment.file.handle, place.at, size);
    if (bytes.length < size) throw new Error(`${place.segment.path} ends within command ${id}`);
    return bytes;
  }

  async postpone(entry: QueueEntry, payload: Uint8Array): Promise<void> {
    await this.#postponed.put(entry, payload);
  }

  async settle(id: number): Promise<void> {
    this.#postponed.settle(id);
  }

  async drop(id: number): Promise<void> {
    await this.#postponed.drop(id, id > this.#checkpointed);
  }

  async release(through: number): Promise<void> {
    for (const [id, { recent }] of this.#places) {
      if (id > through) break;
      this.#places.delete(id);
      this.#recent -= recent?.length ?? 0;
    }
  }

  async checkpointed(through: number): Promise<void> {
    this.#checkpointed = Math.max(this.#checkpointed, through);
    await this.#postponed.checkpointed(this.#checkpointed);
    await this.#tidy();
  }

  keptBytes(through: number): number {
    return this.#segments.reduce((sum, { size, last }) => sum + (last <= through ? size : 0), 0);
  }

  async retained(after: number): Promise<Retained> {
    const through = this.#written;
    const found: [entry: QueueEntry, place: Place][] = [];
    for (const segment of this.#segments.slice()) {
      const scan = await scanSegment(segment.path, after);
      for (const { entry, at } of scan.found) {
        if (entry.id <= through && !this.#postponed.has(entry.id) && !this.#postponed.isDropped(entry.id)) {
          found.push([entry, { segment, at, recent: this.#places.get(entry.id)?.recent }]);
        }
      }
    }
    found.sort(([a], [b]) => a.id - b.id);
    const newer = [...this.#places].filter(([id]) => id > through);
    this.#places.clear();
    for (const [entry, place] of found) this.#places.set(entry.id, place);
    for (const [id, place] of newer) this.#places.set(id, place);
    const again = await this.#postponed.again();
    return { entries: [...again, ...found.map(([entry]) => entry)].sort((a, b) => a.id - b.id), through };
  }

  async rest(): Promise<void> {
    const isIdle = this.#flushing === undefined && this.#places.size === 0;
    // None that is yet to be written to: its name would be that of the next one.
    const written = this.#segments.filter((segment) => isIdle && segment.last > 0 && this.#isFree(segment));
    await Promise.all(written.map((segment) => this.#remove(segment)));
    await this.#removeSpares();
  }

  async close(): Promise<void> {
    await this.#flushing;
    // What is left of them is of no use to anybody.
    const free = this.#segments.filter((segment) => this.#isFree(segment));
    for (const segment of free) await this.#remove(segment);
    await this.#removeSpares();
    for (const { file } of this.#segments.splice(0)) await file.handle.close();
  }

  async #tidy(): Promise<void> {
    const done = this.#segments.filter((segment) => this.#isFree(segment) && this.#isFinished(segment));
    for (const segment of done) {
      if (this.#spares.length < SPARES && this.#isOpen && segment.isReusable) {
        this.#spares.push(segment);
        this.#segments.splice(this.#segments.indexOf(segment), 1);
      } else await this.#remove(segment);
    }
  }

  /** Whether none of its commands has to be kept. */
  #isFree({ last }: Segment): boolean {
    return last <= this.#checkpointed;
  }

  /** The segment in use stays while it is small: a new file for every command would cost two more syncs each. */
  #isFinished(segment: Segment): boolean {
    return !(this.#isOpen && segment === this.#segments.at(-1)) || segment.size >= SEGMENT;
  }

  async #removeSpares(): Promise<void> {
    for (const spare of this.#spares.splice(0)) await this.#remove(spare);
  }

  async #remove(segment: Segment): Promise<void> {
    if (this.#segments.includes(segment)) this.#segments.splice(this.#segments.indexOf(segment), 1);
    await segment.file.handle.close();
    await rm(segment.path, { force: true });
  }

  async #flush(): Promise<void> {
    // Lets every request of this turn of the event loop join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0 || this.#bundles.length > 0) {
      const bundle = this.#bundles.shift();
      if (bundle !== undefined) await this.#place(bundle);
      const group = this.#nextGroup();
      if (group.length === 0) continue;
      try {
        for (const [index, entry] of (await this.#write(group)).entries()) group[index]?.resolve(entry);
      } catch (error) {
        const reason = `the command was not accepted: the queue cannot be written: ${messageOf(error)}; ${remedyOf(error)}`;
        for (const { reject } of group) reject(new CensusError("unavailable", reason, { cause: error }));
      }
    }
    this.#flushing = undefined;
  }

  /** Gives the commands of a bundle the next ids. */
  async #place({ bundle, resolve, reject }: PendingBundle): Promise<void> {
    const [first, before] = [this.#next, this.#written];
    this.#next += bundle.commands.length;
    try {
      const file = await openDurably(bundle.path);
      const path = await placeBundle(this.#folder, bundle.path, { first, before }).catch(async (error: unknown) => {
        await file.handle.close();
        throw error;
      });
      const segment = { path, file, size: bundle.size, last: this.#next - 1, isReusable: false };
      // The segment in use stays the last one.
      this.#segments.splice(this.#isOpen ? -1 : this.#segments.length, 0, segment);
      this.#written = segment.last;
      const entries = bundle.commands.map(({ entry }, index) => ({ ...entry, id: first + index }));
      for (const [index, { at }] of bundle.commands.entries()) {
        this.#places.set(first + index, { segment, at, recent: undefined });
      }
      resolve(entries);
    } catch (error) {
      reject(noneAccepted(error));
    }
  }

  #nextGroup(): Pending[] {
    let [bytes, count] = [0, 0];
    for (const { payload } of this.#pending) {
      if (count > 0 && bytes + payload.length > GROUP) break;
      bytes += payload.length;
      count++;
    }
    return this.#pending.splice(0, count);
  }

  async #write(group: readonly Pending[]): Promise<QueueEntry[]> {
    const segment = await this.#current();
    const buffers: Uint8Array[] = [];
    const written: { readonly entry: QueueEntry; readonly at: number; readonly payload: Uint8Array | undefined }[] = [];
    let end = segment.size;
    let before = this.#written;
    for (const { entry, payload, isWanted } of group) {
      const id = this.#next++;
      const record = encodeRecord(id, entry, payload, before);
      before = id;
      buffers.push(...record);
      const at = end + HEADER + (record[1]?.length ?? 0);
      end = at + payload.length;
      written.push({ at, payload: isWanted ? payload : undefined, entry: { ...entry, id, size: payload.length } });
    }
    try {
      await segment.file.write([...buffers, END], segment.size);
    } catch (error) {
      await this.#abandon(segment);
      throw error;
    }
    segment.size = end;
    segment.last = this.#written = this.#next - 1;
    for (const { entry, at, payload } of written) {
      const recent = this.#recent + entry.size <= this.#recentMost ? payload : undefined;
      this.#recent += recent?.length ?? 0;
      this.#places.set(entry.id, { segment, at, recent });
    }
    return written.map(({ entry }) => entry);
  }

  /**
   * After a failure nobody knows what is in the file behind its last sound record. It is cut off if that is possible; in
   * either case the next group goes to another file. On a full disk there may be room for that one only when this one,
   * all of it dealt with, goes: no command is left that would come to release it.
   */
  async #abandon(segment: Segment): Promise<void> {
    this.#isOpen = false;
    segment.isReusable = false;
    await segment.file.handle.truncate(segment.size).catch(() => undefined);
    if (segment.size === 0) await this.#remove(segment).catch(() => undefined);
    await this.#tidy().catch(() => undefined);
    await this.#removeSpares().catch(() => undefined);
  }

  async #current(): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (this.#isOpen && last !== undefined) {
      // What it holds is known to be of no use any more, even to one who finds it after a crash: by its ids.
      if (this.#isFree(last)) last.size = 0;
      if (last.size < SEGMENT) return last;
    }
    const segment = this.#takeSpare() ?? (await this.#newSegment());
    this.#segments.push(segment);
    this.#isOpen = true;
    return segment;
  }

  #takeSpare(): Segment | undefined {
    const spare = this.#spares.pop();
    if (spare !== undefined) spare.size = 0;
    return spare;
  }

  async #newSegment(): Promise<Segment> {
    const path = join(this.#folder, `${String(this.#next).padStart(16, "0")}.log`);
    // Whatever a failure has left under this name holds no command, for none has had its first id.
    const file = await openDurably(path);
    try {
      await file.handle.truncate(0);
      await syncFolder(this.#folder);
    } catch (error) {
      await file.handle.close();
      throw error;
    }
    return { path, file, size: 0, last: 0, isReusable: true };
  }

  async #recover({ stored, checkpointed }: Progress, damagedFolder: string): Promise<Recovered> {
    this.#next = stored + 1;
    const postponed = await this.#postponed.recover(damagedFolder);
    const entries = [...postponed.entries];
    const damaged = [...postponed.damaged];
    for (const { id } of entries) this.#next = Math.max(this.#next, id + 1);
    const chain = new Map<number, number>();
    await removeUnfinishedBundles(this.#folder);
    const names = (await readdir(this.#folder)).filter(isSegment).sort();
    for (const name of names) {
      const path = join(this.#folder, name);
      const scan = await scanSegment(path, checkpointed);
      const segment = { path, file: await openDurably(path), size: scan.end, last: 0, isReusable: false };
      this.#segments.push(segment);
      damaged.push(...(await saveDamage(segment.path, segment.file.handle, scan, damagedFolder)));
      for (const { entry, at, before } of scan.found) {
        segment.last = Math.max(segment.last, entry.id);
        this.#next = Math.max(this.#next, entry.id + 1);
        chain.set(entry.id, before);
        if (entry.id <= stored || this.#postponed.has(entry.id) || this.#postponed.isDropped(entry.id)) continue;
        this.#places.set(entry.id, { segment, at, recent: undefined });
        entries.push(entry);
      }
    }
    this.#written = this.#next - 1;
    await this.checkpointed(checkpointed);
    const missing = damaged.length === 0 ? missingOf(chain, stored) : undefined;
    return { entries: entries.sort((a, b) => a.id - b.id), damaged, missing };
  }
}

function noneAccepted(cause: unknown): CensusError {
  const reason = `no command was accepted: the queue cannot be written: ${messageOf(cause)}; ${remedyOf(cause)}`;
  return new CensusError("unavailable", reason, { cause });
}

async function identityOf(folder: string): Promise<string> {
  const path = join(folder, "identity");
  const known = await readFile(path, "utf8").catch(() => "");
  if (/^[0-9a-f-]{36}\n$/.test(known)) return known.trim();
  const identity = randomUUID();
  const file = await open(path, "w");
  await writeDurably(file, [Buffer.from(`${identity}\n`)], 0);
  await file.close();
  await syncFolder(folder);
  return identity;
}
