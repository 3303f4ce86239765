import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { CHECKSUM, HEADER, HEADERS } from "../engine/file-layout.ts";
import { openError } from "../engine/instance.ts";

/** What the headers of a database file say. */
export interface FileHeader {
  /** Whether it is a file of the engine. */
  readonly isDatabase: boolean;
  /** bytes */
  readonly size: number;
  /** How many checkpoints have been written to it. */
  readonly iteration: number;
  /** Differs between the file and one that replaces it. */
  readonly inode: string;
}

/**
 * Reads the headers of a file that this process has not opened: closing it would release the engine's lock.
 * @returns undefined if there is no such file
 * @throws CensusError "bad-file" if it cannot be read
 */
export function readFileHeader(path: string): FileHeader | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // A problem with the directory itself is reported when it is created.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw openError(path, error);
  }
  try {
    return headerOf(file);
  } finally {
    closeSync(file);
  }
}

/** Reads the headers of an open file. */
export function headerOf(file: number): FileHeader {
  const found = fstatSync(file);
  const bytes = Buffer.alloc(HEADERS);
  const read = found.isFile() ? readSync(file, bytes, 0, HEADERS, 0) : 0;
  const isDatabase = bytes.toString("latin1", 8, 12) === "DUCK";
  const places = isDatabase && read === HEADERS ? [HEADER, 2 * HEADER] : [];
  const iterations = places.map((at) => Number(bytes.readBigInt64LE(at + CHECKSUM)));
  return { isDatabase, size: found.size, iteration: Math.max(0, ...iterations), inode: inodeOf(found) };
}

/** Distinguishes a file from another one of the same name. */
export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
