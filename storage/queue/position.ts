import { existsSync, writeSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { syncFolder } from "../durable-file.ts";

/** The file of a queue that records its position. */
export const positionFile = "position";

/** How far a queue has come. */
export interface Position {
  /** The id of the last command that was acknowledged. */
  readonly acknowledged: number;
  /** Commands up to this id are stored: in the database file or in the engine's log. */
  readonly stored: number;
}

/**
 * Records the position of a queue beside its commands, so that a start notices when the last of them are missing, or when
 * the engine's log is. It is written after the commands, and does not wait for the disk: after a kill it is exact, after a
 * power failure it may be a second old. So it is never ahead of the commands.
 */
export class PositionRecord {
  readonly #file: FileHandle;
  readonly #identity: string;
  #position: Position = { acknowledged: 0, stored: 0 };
  #timer: NodeJS.Timeout | undefined;

  private constructor(file: FileHandle, identity: string) {
    this.#file = file;
    this.#identity = identity;
  }

  /** @param identity of the queue in `folder` */
  static async open(folder: string, identity: string): Promise<PositionRecord> {
    const path = join(folder, positionFile);
    const isNew = !existsSync(path);
    const file = await open(path, isNew ? "w" : "r+", 0o600);
    try {
      if (isNew) await syncFolder(folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new PositionRecord(file, identity);
  }

  /** Begins with this position; resolves when it is on disk. */
  async begin(position: Position): Promise<void> {
    this.#position = position;
    this.#put();
    await this.#file.datasync();
  }

  /** Commands up to this id are on disk. */
  acknowledge(id: number): void {
    if (id > this.#position.acknowledged) this.#write({ ...this.#position, acknowledged: id });
  }

  /** Commands up to this id are stored. */
  store(id: number): void {
    if (id > this.#position.stored) this.#write({ ...this.#position, stored: id });
  }

  async close(): Promise<void> {
    if (this.#timer !== undefined) await this.#sync();
    await this.#file.close();
  }

  #write(position: Position): void {
    this.#position = position;
    try {
      this.#put();
    } catch {
      // An older position is a lower bound, and the commands are on disk: they need not be rejected.
    }
    // Later, because the next position replaces it.
    this.#timer ??= setTimeout(() => void this.#sync(), 1000).unref();
  }

  /**
   * Copies 43 bytes to the system's memory: handing them to another thread would take ten times as long. The disk has just
   * confirmed a write, so that it cannot be the one that never answers.
   */
  #put(): void {
    writeSync(this.#file.fd, encodePosition(this.#position, this.#identity), 0, undefined, 0);
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#file.datasync().catch(() => undefined);
  }
}

/** @returns undefined where there is none, or where it is damaged or another queue's */
export async function readPosition(folder: string, identity: string): Promise<Position | undefined> {
  const text = await readFile(join(folder, positionFile), "latin1").catch(() => "");
  const [, numbers = "", checksum] = /^(\d{16} \d{16}) ([0-9a-f]{8})\n$/.exec(text) ?? [];
  if (checksum === undefined || checksum !== checksumOf(numbers, identity)) return undefined;
  const [acknowledged = 0, stored = 0] = numbers.split(" ").map(Number);
  return { acknowledged, stored };
}

/** Always of the same length: it replaces the one before it. */
export function encodePosition({ acknowledged, stored }: Position, identity: string): Buffer {
  const numbers = [acknowledged, stored].map((id) => String(id).padStart(16, "0")).join(" ");
  return Buffer.from(`${numbers} ${checksumOf(numbers, identity)}\n`, "latin1");
}

function checksumOf(numbers: string, identity: string): string {
  return crc32(numbers, crc32(identity)).toString(16).padStart(8, "0");
}
