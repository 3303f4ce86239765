import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CensusError, messageOf, systemCodeOf } from "../errors.ts";
import { memoryBudget } from "../memory/budget.ts";
import { remedyOf } from "../remedy.ts";
import { placeBundle, removeUnfinishedBundles, writeBundle, type WrittenBundle } from "./bundle.ts";
import type { CommandLog, NewCommand, NewEntry, QueueEntry, Retained } from "./entry.ts";
import { makeFolder, openDurably } from "../durable-file.ts";
import { identityOf } from "./identity.ts";
import { type Place, Places } from "./places.ts";
import { Postponed } from "./postponed.ts";
import { encodeRecord, END, HEADER } from "./record.ts";
import { PositionRecord, readPosition } from "./position.ts";
import { damageOf, type Losses, missingOf, type Progress, type Recovered, saveDamage, upTo } from "./recovery.ts";
import { isSegment, readBytes, type Scan, scanSegment } from "./segment.ts";
import { type Segment, Segments } from "./segments.ts";

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

/**
 * The queue on disk: segments that are appended to. Commands that arrive while the disk is busy are made durable
 * together, by one write. A command remains here until its results are in the database file, whatever happens to the
 * engine's log.
 */
export class FileLog implements CommandLog {
  /** Distinguishes this queue from any other, so that a store knows which queue its progress refers to. */
  readonly identity: string;
  readonly #folder: string;
  readonly #segments: Segments;
  readonly #places = new Places(memoryBudget().recentPayloads);
  readonly #postponed: Postponed;
  #pending: Pending[] = [];
  readonly #bundles: PendingBundle[] = [];
  #flushing: Promise<void> | undefined;
  #position: PositionRecord | undefined;
  #next = 1;
  /** The last command that is in a file. */
  #written = 0;

  private constructor(folder: string, identity: string) {
    this.#folder = join(folder, "commands");
    this.#segments = new Segments(this.#folder);
    this.#postponed = new Postponed(join(folder, "postponed"));
    this.identity = identity;
  }

  /**
   * Opens the queue in `folder`, which is created if it does not exist.
   * @param progress of a queue with this identity
   * @param check is called before its files are changed; where it throws, they are not
   * @throws CensusError "bad-file" when the folder cannot be used; errors of `check`
   */
  static async open(
    folder: string,
    progress: (identity: string) => Progress,
    check: (identity: string, losses: Losses) => void = () => undefined,
  ): Promise<{ log: FileLog; recovered: Recovered }> {
    try {
      await makeFolder(join(folder, "commands"));
      const log = new FileLog(folder, await identityOf(folder));
      const recovered = await log.#recover(folder, progress(log.identity), (losses) => check(log.identity, losses));
      return { log, recovered };
    } catch (error) {
      if (error instanceof CensusError) throw error;
      const reason = `${folder}: the queue cannot be opened: ${messageOf(error)}; ${remedyOf(error)}`;
      throw new CensusError("bad-file", reason, { cause: error });
    }
  }

  keepsPayload(size: number, isWanted: boolean): boolean {
    return isWanted && size <= memoryBudget().recentPayloads;
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
      // The source reports errors of the commands themselves.
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
    await this.#postponed.drop(id, id > this.#segments.checkpointed);
  }

  async release(through: number): Promise<void> {
    this.#places.release(through);
    this.#position?.store(through);
  }

  async checkpointed(through: number): Promise<void> {
    this.#segments.free(through);
    await this.#postponed.checkpointed(this.#segments.checkpointed);
    await this.#segments.tidy();
  }

  removableBytes(through: number): number {
    return this.#segments.removableBytes(through);
  }

  async retained(after: number): Promise<Retained> {
    const through = this.#written;
    const found: [entry: QueueEntry, place: Place][] = [];
    for (const segment of this.#segments.used) {
      const scan = await scanSegment(segment.path, after);
      for (const { entry, at } of scan.found) {
        if (entry.id <= through && !this.#postponed.has(entry.id) && !this.#postponed.isDropped(entry.id)) {
          found.push([entry, { segment, at, recent: this.#places.get(entry.id)?.recent }]);
        }
      }
    }
    found.sort(([a], [b]) => a.id - b.id);
    this.#places.replace(
      found.map(([{ id }, place]) => [id, place]),
      through,
    );
    const again = await this.#postponed.settledEntries();
    return { entries: [...again, ...found.map(([entry]) => entry)].sort((a, b) => a.id - b.id), through };
  }

  async freeReserved(): Promise<void> {
    await this.#segments.shrink(this.#flushing === undefined && this.#places.isEmpty);
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#position?.close();
    await this.#segments.close();
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

  /** Assigns the next ids to the commands of a bundle. */
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
      this.#segments.add(segment);
      this.#written = segment.last;
      this.#position?.acknowledge(this.#written);
      const entries = bundle.commands.map(({ entry }, index) => ({ ...entry, id: first + index }));
      for (const [index, entry] of entries.entries()) this.#places.add(entry, segment, bundle.commands[index]?.at ?? 0);
      resolve(entries);
    } catch (error) {
      reject(noneAccepted(error));
    }
  }

  #nextGroup(): Pending[] {
    let [bytes, count] = [0, 0];
    for (const { payload } of this.#pending) {
      // Further commands are in the next group.
      if (count > 0 && bytes + payload.length > 32 * 1024 * 1024) break;
      bytes += payload.length;
      count++;
    }
    return this.#pending.splice(0, count);
  }

  async #write(group: readonly Pending[]): Promise<QueueEntry[]> {
    const segment = await this.#segments.current(this.#next);
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
      await this.#segments.abandon(segment);
      throw error;
    }
    segment.size = end;
    segment.last = this.#written = this.#next - 1;
    this.#position?.acknowledge(this.#written);
    for (const { entry, at, payload } of written) this.#places.add(entry, segment, at, payload);
    return written.map(({ entry }) => entry);
  }

  async #recover(folder: string, progress: Progress, check: (losses: Losses) => void): Promise<Recovered> {
    const { stored, checkpointed } = progress;
    const damagedFolder = join(folder, "damaged");
    const position = await readPosition(folder, this.identity);
    const scanned = await this.#scan(checkpointed);
    const chain = new Map<number, number>();
    for (const { scan } of scanned) for (const { entry, before } of scan.found) chain.set(entry.id, before);
    const missing = missingOf(chain, stored, position?.acknowledged);
    try {
      check({ missing, damage: scanned.flatMap(damagedPlaces) });
    } catch (error) {
      for (const { segment } of scanned) await segment.file.handle.close();
      throw error;
    }
    const postponed = await this.#postponed.recover(damagedFolder);
    const entries = [...postponed.entries];
    const damaged = [...postponed.damaged];
    for (const { segment, scan } of scanned) {
      this.#segments.add(segment);
      damaged.push(...(await saveDamage(segment.path, segment.file.handle, scan, damagedFolder)));
      for (const { entry, at } of scan.found) {
        if (entry.id <= stored || this.#postponed.has(entry.id) || this.#postponed.isDropped(entry.id)) continue;
        this.#places.add(entry, segment, at);
        entries.push(entry);
      }
    }
    this.#written = stored;
    for (const { id } of postponed.entries) this.#written = Math.max(this.#written, id);
    for (const { segment } of scanned) this.#written = Math.max(this.#written, segment.last);
    // An id names one command for ever, also one that is lost.
    this.#next = Math.max(this.#written, position?.acknowledged ?? 0) + 1;
    this.#position = await PositionRecord.open(folder, this.identity);
    await this.#position.begin({ acknowledged: this.#written, stored });
    await this.checkpointed(checkpointed);
    const again =
      position !== undefined && position.stored > stored ? { from: stored + 1, to: position.stored } : undefined;
    const inEngineOnly = upTo(stored, missingOf(chain, checkpointed, stored));
    return { entries: entries.sort((a, b) => a.id - b.id), damaged, inEngineOnly, again };
  }

  /** Reads the segments without changing them. */
  async #scan(checkpointed: number): Promise<Scanned[]> {
    await removeUnfinishedBundles(this.#folder);
    const scanned: Scanned[] = [];
    for (const name of (await readdir(this.#folder)).filter(isSegment).sort()) {
      const path = join(this.#folder, name);
      const scan = await scanSegment(path, checkpointed);
      const last = scan.found.reduce((most, { entry }) => Math.max(most, entry.id), 0);
      const segment = { path, file: await openDurably(path), size: scan.end, last, isReusable: false };
      scanned.push({ segment, scan });
    }
    return scanned;
  }
}

/** A segment of an earlier process, and what was found in it. */
interface Scanned {
  readonly segment: Segment;
  readonly scan: Scan;
}

function damagedPlaces({ segment, scan }: Scanned): string[] {
  return damageOf(scan).map(({ from, to }) => `${segment.path}, bytes ${from} to ${to}`);
}

function noneAccepted(cause: unknown): CensusError {
  const reason = `no command was accepted: the queue cannot be written: ${messageOf(cause)}; ${remedyOf(cause)}`;
  return new CensusError("unavailable", reason, { cause });
}
