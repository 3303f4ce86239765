import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, read, readSync, statSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncFolder, writeAll } from "../durable-file.ts";
import { CHECKSUM, HEADER, HEADERS } from "./file-layout.ts";

/*
 * At each checkpoint the engine rewrites the blocks that describe the tables in place, though the last checkpoint refers to
 * parts of them: where only half of such a block is written, none of it can be read any more. So they are copied into a
 * file beside the database before a checkpoint begins. If the checkpoint does not come to its end and leaves a block that
 * is torn, its copy is written back before the file is opened again.
 */

/** The file with the copies: the ending after the database file's name. */
export const savedBlocksEnding = ".blocks";

const BLOCK = 262_144;

/** The file with the copies: a digest of the rest, the header in force, the number of blocks, then number and bytes of each. */
const MAGIC = "census-blocks-1\n";
const DIGEST = 32;
const FIXED: number = MAGIC.length + DIGEST + HEADER + 8;
const ENTRY: number = 8 + BLOCK;

const readAt = promisify(read);

interface SavedBlock {
  readonly block: number;
  readonly bytes: Buffer;
}

/** Copies blocks of a database file that the engine has open. */
export class BlockSaver {
  readonly #path: string;
  /** Open until the engine has closed the file: closing it earlier would release the engine's lock. */
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
  }

  /** Copies blocks to disk; those that have not been written yet need no copy. @throws the system's error */
  async save(blocks: readonly number[]): Promise<void> {
    const { size } = fstatSync(this.#file);
    const written = blocks.filter((block) => placeOf(block) + BLOCK <= size);
    const path = `${this.#path}${savedBlocksEnding}`;
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    const target = await open(path, isNew ? "w" : "r+", 0o600);
    try {
      const digest = createHash("sha256");
      let at = MAGIC.length + DIGEST;
      const add = async (bytes: Buffer): Promise<void> => {
        digest.update(bytes);
        await writeAll(target, [bytes], at);
        at += bytes.length;
      };
      await add(await this.#head(written.length));
      const entry = Buffer.alloc(ENTRY);
      for (const block of written) {
        entry.writeBigUInt64LE(BigInt(block));
        await readAt(this.#file, entry, 8, BLOCK, placeOf(block));
        await add(entry);
      }
      await target.truncate(at);
      // Without the digest of all that follows, the file counts as unfinished.
      await writeAll(target, [Buffer.from(MAGIC), digest.digest()], 0);
      await target.datasync();
    } finally {
      await target.close();
    }
    if (isNew) await syncFolder(dirname(path));
  }

  /** The header in force, and the number of blocks. */
  async #head(count: number): Promise<Buffer> {
    const headers = Buffer.alloc(HEADERS);
    await readAt(this.#file, headers, 0, HEADERS, 0);
    const head = Buffer.alloc(HEADER + 8);
    headerInForce(headers).copy(head);
    head.writeBigUInt64LE(BigInt(count), HEADER);
    return head;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The numbers of the blocks that an unfinished checkpoint has torn and that can be restored. Changes nothing. */
export function tornBlocks(path: string): number[] {
  return withFile(path, "r", (file) => tornIn(file, path).map(({ block }) => block)) ?? [];
}

/**
 * Writes copies back over the blocks that an unfinished checkpoint has torn. No process may have the file open.
 * @returns the numbers of these blocks
 * @throws the system's error
 */
export function restoreTornBlocks(path: string): number[] {
  const restored = withFile(path, "r+", (file) => {
    const torn = tornIn(file, path);
    for (const { block, bytes } of torn) writeSync(file, bytes, 0, BLOCK, placeOf(block));
    if (torn.length > 0) fsyncSync(file);
    return torn.map(({ block }) => block);
  });
  return restored ?? [];
}

function tornIn(file: number, path: string): SavedBlock[] {
  const headers = Buffer.alloc(HEADERS);
  if (readSync(file, headers, 0, HEADERS, 0) < HEADERS) return [];
  const header = headerInForce(headers);
  // Another header: the checkpoint came to its end.
  const saved = withFile(`${path}${savedBlocksEnding}`, "r", (copies) => savedIn(copies, header)) ?? [];
  return saved.filter(({ block, bytes }) => {
    const current = Buffer.alloc(BLOCK);
    readSync(file, current, 0, BLOCK, placeOf(block));
    return !isWhole(current) && isWhole(bytes);
  });
}

/** The blocks that were copied before the checkpoint that follows a header; none where the copies are of another one. */
function savedIn(file: number, header: Buffer): SavedBlock[] {
  const fixed = Buffer.alloc(FIXED);
  if (readSync(file, fixed, 0, FIXED, 0) < FIXED || fixed.toString("latin1", 0, MAGIC.length) !== MAGIC) return [];
  const begin = MAGIC.length + DIGEST;
  if (!fixed.subarray(begin, begin + HEADER).equals(header)) return [];
  const count = Number(fixed.readBigUInt64LE(begin + HEADER));
  const content = Buffer.alloc(HEADER + 8 + count * ENTRY);
  if (readSync(file, content, 0, content.length, begin) < content.length) return [];
  if (!hash("sha256", content, "buffer").equals(fixed.subarray(MAGIC.length, begin))) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = HEADER + 8 + index * ENTRY;
    return { block: Number(content.readBigUInt64LE(at)), bytes: content.subarray(at + 8, at + ENTRY) };
  });
}

/** Of the two headers that are written in turn, the one with the higher iteration is in force. */
function headerInForce(headers: Buffer): Buffer {
  const [first, second] = [headers.subarray(HEADER, 2 * HEADER), headers.subarray(2 * HEADER)];
  return second.readBigUInt64LE(CHECKSUM) > first.readBigUInt64LE(CHECKSUM) ? second : first;
}

/** Whether a block has the engine's checksum of its bytes. */
function isWhole(block: Buffer): boolean {
  let sum = 5381n;
  for (let at = CHECKSUM; at < BLOCK; at += 8) {
    sum ^= BigInt.asUintN(64, block.readBigUInt64LE(at) * 0xbf58_476d_1ce4_e5b9n);
  }
  return sum === block.readBigUInt64LE(0);
}

function placeOf(block: number): number {
  return HEADERS + block * BLOCK;
}

/** @returns undefined where there is no such file, or it cannot be read: the engine says why it cannot open its file */
function withFile<T>(path: string, flags: "r" | "r+", work: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (flags === "r" || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
