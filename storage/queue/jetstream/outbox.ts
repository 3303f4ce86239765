import { existsSync } from "node:fs";
import { appendFile, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type DurableFile, makeFolder, openDurably, syncFolder } from "../../durable-file.ts";
import { CensusError, messageOf } from "../../errors.ts";
import { remedyOf } from "../../remedy.ts";
import type { NewRow } from "../shared/joint-log.ts";
import { decodeNotes, decodeRows, type Described, encodeNote, encodeRow } from "./outbox-file.ts";

/** A file is followed by another one after this many bytes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** A part of the time for which entries are kept, after which a file is followed by another one. */
const FILE_PART = 1 / 5;

/** An entry that this process has added, or is about to add. */
export interface OutboxRow extends Described {
  /** Of its messages in the log, the entry's own last; undefined: it is not known to be there. */
  readonly sequences: readonly number[] | undefined;
}

interface Kept extends Described {
  readonly file: OutboxFile;
  readonly at: number;
  readonly size: number;
  sequences: readonly number[] | undefined;
}

interface OutboxFile {
  readonly path: string;
  /** Undefined: nothing more is added to it. */
  file: DurableFile | undefined;
  size: number;
  /** Entries that are not known to be in the log. */
  open: number;
  /** When it was begun, and when the last of its entries was acknowledged: ms. */
  readonly begun: number;
  settled: number;
  readonly marks: string[];
}

interface Pending {
  readonly rows: readonly NewRow[];
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Entries on this machine's disk from before they are published until some time after the log has acknowledged them: JetStream
 * acknowledges what its servers do not have on disk yet.
 */
export class Outbox {
  readonly #folder: string;
  /** Milliseconds for which entries are kept after they were acknowledged. */
  readonly #ms: number;
  readonly #rows = new Map<string, Kept>();
  readonly #files: OutboxFile[] = [];
  /** The marks of entries that earlier processes have left. */
  readonly #left = new Set<string>();
  #next = 1;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;
  /** The last write of notes; they do not wait for the disk. */
  #noting: Promise<void> = Promise.resolve();

  private constructor(folder: string, ms: number) {
    this.#folder = folder;
    this.#ms = ms;
  }

  /**
   * Opens the outbox in `folder`, which is created if it does not exist.
   * @throws CensusError "bad-file" when the folder cannot be used
   */
  static async open({ folder, ms }: { readonly folder: string; readonly ms: number }): Promise<Outbox> {
    const outbox = new Outbox(folder, ms);
    try {
      await makeFolder(folder);
      await outbox.#recover();
      return outbox;
    } catch (error) {
      const reason = `${folder}: the outbox cannot be opened: ${messageOf(error)}; ${remedyOf(error)}`;
      throw new CensusError("bad-file", reason, { cause: error });
    }
  }

  /** All entries, as of now, in the order in which they were added here. */
  get rows(): readonly OutboxRow[] {
    return [...this.#rows.values()];
  }

  /**
   * Adds entries; resolves when they are on disk. Those that come while the disk is busy are written together.
   * @param after the sequence of a message that is in the log
   * @throws CensusError "unavailable" when they could not be written
   */
  async put(rows: readonly NewRow[], after: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ rows, after, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /**
   * Adds entries as they arrive, all or none; resolves when they are on disk.
   * @throws errors of `rows`; CensusError "unavailable" when they could not be written
   */
  async putAll(rows: AsyncIterable<NewRow>, after: number): Promise<readonly OutboxRow[]> {
    const file = this.#newFile();
    const unfinished = `${file.path}.unfinished`;
    const handle = await open(unfinished, "w");
    const kept: Kept[] = [];
    try {
      for await (const { mark, kind, record } of rows) {
        const buffers = encodeRow({ mark, kind, after }, record);
        const { bytesWritten } = await handle.writev(buffers, file.size);
        const size = record.length;
        if (bytesWritten !== sizeOf(buffers)) throw new Error("the disk is full");
        file.size += bytesWritten;
        kept.push({ mark, kind, after, file, at: file.size - size, size, sequences: undefined });
      }
      await handle.datasync();
      await rename(unfinished, file.path);
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(unfinished, { force: true });
      if (error instanceof CensusError) throw error;
      throw notAccepted(error);
    } finally {
      await handle.close();
    }
    this.#files.unshift(file);
    for (const row of kept) this.#add(row);
    return kept;
  }

  /** Entries of earlier processes that are not known to be in the log. */
  get left(): readonly OutboxRow[] {
    return this.rows.filter(({ mark, sequences }) => sequences === undefined && this.#left.has(mark));
  }

  /** The record of an entry. */
  async read(mark: string): Promise<Buffer> {
    const row = this.#rows.get(mark);
    if (row === undefined) throw new Error(`entry ${mark} is not in the outbox any more`);
    const handle = await open(row.file.path, "r");
    try {
      const record = Buffer.alloc(row.size);
      const { bytesRead } = await handle.read(record, 0, row.size, row.at);
      if (bytesRead < row.size) throw new Error(`${row.file.path} ends within an entry`);
      return record;
    } finally {
      await handle.close();
    }
  }

  /** The log has acknowledged an entry. @param sequences of its messages, the entry's own last */
  acknowledged(mark: string, sequences: readonly number[]): void {
    const row = this.#rows.get(mark);
    if (row === undefined) return;
    this.#settle(row);
    row.sequences = sequences;
    this.#note(row.file, encodeNote(mark, sequences));
  }

  /** An entry was refused: it is never published again. */
  drop(mark: string): void {
    const row = this.#rows.get(mark);
    if (row === undefined) return;
    this.#settle(row);
    this.#rows.delete(mark);
    this.#note(row.file, encodeNote(mark, undefined));
  }

  /** Removes what has been in the log for long enough. */
  async tidy(): Promise<void> {
    const end = Date.now() - this.#ms;
    for (const file of this.#files.filter(({ open: count, settled }) => count === 0 && settled < end)) {
      if (file.file !== undefined && (file.marks.length === 0 || this.#writing !== undefined)) continue;
      this.#files.splice(this.#files.indexOf(file), 1);
      for (const mark of file.marks) this.#rows.delete(mark);
      await this.#noting;
      await file.file?.handle.close();
      await rm(file.path, { force: true });
      await rm(notesOf(file), { force: true });
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#noting;
    for (const { file } of this.#files) await file?.handle.close();
  }

  async #recover(): Promise<void> {
    const names = await readdir(this.#folder);
    for (const name of names.filter((each) => each.endsWith(".unfinished"))) await rm(join(this.#folder, name));
    for (const name of names.filter((each) => /^\d{16}$/.test(each)).sort()) {
      this.#next = Math.max(this.#next, Number(name) + 1);
      const file = this.#newFile(join(this.#folder, name));
      const bytes = await readFile(file.path);
      const notes = existsSync(notesOf(file)) ? decodeNotes(await readFile(notesOf(file), "utf8")) : new Map();
      this.#files.push(file);
      for (const row of decodeRows(bytes)) {
        const sequences = notes.get(row.mark);
        // It was refused.
        if (notes.has(row.mark) && sequences === undefined) continue;
        this.#add({ ...row, file, sequences });
        if (sequences === undefined) this.#left.add(row.mark);
      }
    }
  }

  #newFile(path?: string): OutboxFile {
    const own = path ?? join(this.#folder, String(this.#next++).padStart(16, "0"));
    return { path: own, file: undefined, size: 0, open: 0, begun: Date.now(), settled: Date.now(), marks: [] };
  }

  #add(row: Kept): void {
    this.#rows.set(row.mark, row);
    row.file.marks.push(row.mark);
    if (row.sequences === undefined) row.file.open++;
  }

  #settle({ sequences, file }: Kept): void {
    if (sequences === undefined) file.open--;
    file.settled = Date.now();
  }

  #note(file: OutboxFile, line: string): void {
    // Without a note, the log is searched for the entry at the next start.
    this.#noting = this.#noting.then(() => appendFile(notesOf(file), line)).catch(() => undefined);
  }

  async #write(): Promise<void> {
    // Lets every request of this turn of the event loop join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0);
      try {
        await this.#writeGroup(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(notAccepted(error));
      }
    }
    this.#writing = undefined;
  }

  async #writeGroup(group: readonly Pending[]): Promise<void> {
    const file = await this.#current();
    const kept: Kept[] = [];
    const buffers: Buffer[] = [];
    let end = file.size;
    for (const { rows, after } of group) {
      for (const { mark, kind, record } of rows) {
        const encoded = encodeRow({ mark, kind, after }, record);
        buffers.push(...encoded);
        end += sizeOf(encoded);
        kept.push({ mark, kind, after, file, at: end - record.length, size: record.length, sequences: undefined });
      }
    }
    try {
      await file.file?.write(buffers, file.size);
    } catch (error) {
      // What it has after its last valid entry is unknown.
      await file.file?.handle.truncate(file.size).catch(() => undefined);
      await this.#end(file);
      throw error;
    }
    file.size = end;
    for (const row of kept) this.#add(row);
  }

  async #current(): Promise<OutboxFile> {
    const last = this.#files.at(-1);
    if (last?.file !== undefined) {
      const isFull = last.size >= MAX_FILE_BYTES || Date.now() - last.begun > this.#ms * FILE_PART;
      if (!isFull) return last;
      await this.#end(last);
    }
    const file = this.#newFile();
    file.file = await openDurably(file.path);
    await syncFolder(this.#folder);
    this.#files.push(file);
    return file;
  }

  async #end(file: OutboxFile): Promise<void> {
    const ended = file.file;
    file.file = undefined;
    await ended?.handle.close();
  }
}

function notesOf({ path }: Pick<OutboxFile, "path">): string {
  return `${path}.notes`;
}

function sizeOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}

function notAccepted(error: unknown): CensusError {
  const reason = `the command was not accepted: the outbox cannot be written: ${messageOf(error)}; ${remedyOf(error)}`;
  return new CensusError("unavailable", reason, { cause: error });
}
