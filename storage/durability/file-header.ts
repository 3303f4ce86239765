import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { openError } from "../engine/instance.ts";

/*
 * The engine's file begins with three headers of 4096 bytes: what kind of file it is, and two that are written in turn, the
 * one with the higher iteration holding what the last checkpoint wrote.
 */
const HEADER = 4096;

/** Bytes of a header before its iteration. */
const CHECKSUM = 8;

/** Bytes before the first block. */
export const HEADERS: number = 3 * HEADER;

/** What a database file says of itself. */
export interface FileHeader {
  /** Whether it is a file of the engine at all. */
  readonly isDatabase: boolean;
  /** bytes */
  readonly size: number;
  /** How many checkpoints have been written to it. */
  readonly iteration: number;
  /** Changes when another file gets the name. */
  readonly inode: string;
}

/**
 * Looks at a file that this process has not open: closing it would end the engine's lock on it.
 * @returns undefined where there is no such file
 * @throws CensusError "bad-file" where it cannot be read
 */
export function readFileHeader(path: string): FileHeader | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // What is wrong with the directory itself is found out when it is made.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw openError(path, error);
  }
  try {
    return headerOf(file);
  } finally {
    closeSync(file);
  }
}

/** Looks at an open file. */
export function headerOf(file: number): FileHeader {
  const found = fstatSync(file);
  const bytes = Buffer.alloc(HEADERS);
  const read = found.isFile() ? readSync(file, bytes, 0, HEADERS, 0) : 0;
  const isDatabase = bytes.toString("latin1", 8, 12) === "DUCK";
  const places = isDatabase && read === HEADERS ? [HEADER, 2 * HEADER] : [];
  const iterations = places.map((at) => Number(bytes.readBigInt64LE(at + CHECKSUM)));
  return { isDatabase, size: found.size, iteration: Math.max(0, ...iterations), inode: inodeOf(found) };
}

/** What tells a file from another one of the same name. */
export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
