import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type DurableFile, openDurably, syncFolder } from "../durable-file.ts";

/** A segment that has grown to this many bytes is followed by another one. */
const MAX_SEGMENT_BYTES = 8 * 1024 * 1024;

/** A file of the queue. */
export interface Segment {
  readonly path: string;
  readonly file: DurableFile;
  /** Bytes of complete records that are not all in the database file. */
  size: number;
  /** The highest id in it. */
  last: number;
  /** Whether this process made it and no operation on it has ever failed. */
  isReusable: boolean;
}

/**
 * The files of the queue. A segment whose commands are all in the database file is overwritten from its start, or
 * deleted where there are enough: a disk takes half as long to overwrite a file as to extend it.
 */
export class Segments {
  readonly #folder: string;
  /** Oldest first; only the last one is appended to. */
  readonly #used: Segment[] = [];
  /** Segments for reuse: none of their commands is needed. */
  readonly #spares: Segment[] = [];
  /** Whether the last segment may be appended to. */
  #isOpen = false;
  #checkpointed = 0;

  /** @param folder exists */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Those that contain commands, as of now. */
  get used(): readonly Segment[] {
    return this.#used.slice();
  }

  /** Commands up to this id are in the database file. */
  get checkpointed(): number {
    return this.#checkpointed;
  }

  /** Commands up to `through` are not needed any more; {@link tidy} removes their segments. */
  free(through: number): void {
    this.#checkpointed = Math.max(this.#checkpointed, through);
  }

  /** Adds a file that contains commands already. The segment that is appended to stays the last one. */
  add(segment: Segment): void {
    this.#used.splice(this.#isOpen ? -1 : this.#used.length, 0, segment);
  }

  /** Bytes of segments without a command after `through`. */
  removableBytes(through: number): number {
    return this.#used.reduce((sum, { size, last }) => sum + (last <= through ? size : 0), 0);
  }

  /** The segment to append to. @param next the id of the next command */
  async current(next: number): Promise<Segment> {
    const last = this.#used.at(-1);
    if (this.#isOpen && last !== undefined) {
      // Its records are not needed; recovery recognises that by their ids.
      if (this.#isFree(last)) last.size = 0;
      if (last.size < MAX_SEGMENT_BYTES) return last;
    }
    const segment = this.#takeSpare() ?? (await this.#create(next));
    this.#used.push(segment);
    this.#isOpen = true;
    return segment;
  }

  /**
   * After a failed write the content of the file after its last valid record is unknown. It is cut off if possible; in
   * either case the next write uses another file. On a full disk there may be space for that one only if this one is
   * removed, where none of its commands is needed: no further command would arrive to free it.
   */
  async abandon(segment: Segment): Promise<void> {
    this.#isOpen = false;
    segment.isReusable = false;
    await segment.file.handle.truncate(segment.size).catch(() => undefined);
    if (segment.size === 0) await this.#remove(segment).catch(() => undefined);
    await this.tidy().catch(() => undefined);
    await this.#removeSpares().catch(() => undefined);
  }

  /** Removes segments whose commands are not needed, or keeps them for reuse. */
  async tidy(): Promise<void> {
    const done = this.#used.filter((segment) => this.#isFree(segment) && this.#isFinished(segment));
    for (const segment of done) {
      // Further ones are deleted.
      if (this.#spares.length < 8 && this.#isOpen && segment.isReusable) {
        this.#spares.push(segment);
        this.#used.splice(this.#used.indexOf(segment), 1);
      } else await this.#remove(segment);
    }
  }

  /**
   * Frees the disk space that is reserved for future commands.
   * @param isIdle whether nothing is being written and no command is needed
   */
  async shrink(isIdle: boolean): Promise<void> {
    // Not one that is not written yet: its name would be that of the next one.
    const written = this.#used.filter((segment) => isIdle && segment.last > 0 && this.#isFree(segment));
    await Promise.all(written.map((segment) => this.#remove(segment)));
    await this.#removeSpares();
  }

  /** Removes segments that are not needed and closes the others. */
  async close(): Promise<void> {
    const free = this.#used.filter((segment) => this.#isFree(segment));
    for (const segment of free) await this.#remove(segment);
    await this.#removeSpares();
    for (const { file } of this.#used.splice(0)) await file.handle.close();
  }

  /** Whether none of its commands is needed. */
  #isFree({ last }: Segment): boolean {
    return last <= this.#checkpointed;
  }

  /** The current segment remains while it is small: a new file for every command would cost two more syncs each. */
  #isFinished(segment: Segment): boolean {
    return !(this.#isOpen && segment === this.#used.at(-1)) || segment.size >= MAX_SEGMENT_BYTES;
  }

  async #removeSpares(): Promise<void> {
    for (const spare of this.#spares.splice(0)) await this.#remove(spare);
  }

  async #remove(segment: Segment): Promise<void> {
    if (this.#used.includes(segment)) this.#used.splice(this.#used.indexOf(segment), 1);
    await segment.file.handle.close();
    await rm(segment.path, { force: true });
  }

  #takeSpare(): Segment | undefined {
    const spare = this.#spares.pop();
    if (spare !== undefined) spare.size = 0;
    return spare;
  }

  async #create(next: number): Promise<Segment> {
    const path = join(this.#folder, `${String(next).padStart(16, "0")}.log`);
    // A file with this name from a failed attempt contains no command, because none has had its first id.
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
}
