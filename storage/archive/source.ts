import type { FileHandle } from "node:fs/promises";
import { CensusError, messageOf } from "#storage/errors.ts";
import { archiveError, type ArchiveGuard } from "./guard.ts";

/** One file of an archive. */
export interface ArchiveMember {
  /** path inside the archive with `/`, e.g. `puppetdb-bak/facts/web-01.example.com.json`; need not be unique */
  readonly name: string;
  readonly body: Buffer;
}

export interface MemberOptions {
  /** Called with the bytes that were read of the file (or of the folder's files) on disk. */
  readonly onProgress?: ((bytesRead: number, bytesTotal: number) => void) | undefined;
  /** Returns only members with such names; where the container allows it the others are not unpacked. */
  readonly only?: ((name: string) => boolean) | undefined;
}

/** An archive file that is open, for the readers of the formats. */
export interface OpenArchive extends MemberOptions {
  readonly path: string;
  /** bytes */
  readonly size: number;
  readonly guard: ArchiveGuard;
  /** The bytes from `start` up to `end` (not included); fewer where the file has become shorter. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
}

const READ_BYTES = 256 * 1024;

/** Kinds of file that are not archives, by their first bytes as latin1. */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/^$/, "an empty file"],
  [/^\0+$/, "a file of zero bytes"],
  [/^\x89PNG\r\n|^\xff\xd8\xff|^GIF8|^BM.{4}\0{4}|^RIFF.{4}WEBP/s, "an image"],
  [/^%PDF-/, "a PDF document"],
  [/^BZh\d/, "a bzip2 file"],
  [/^\xfd7zXZ\0/, "an xz file"],
  [/^\x28\xb5\x2f\xfd/, "a zstd file"],
  [/^7z\xbc\xaf\x27\x1c/, "a 7z archive"],
  [/^Rar!/, "a RAR archive"],
  [/^\x1f\x8b/, "a gzip file"],
  [/^PK\x03\x04/, "a zip archive"],
  [/^PK\x07\x08/, "a part of a split zip archive"],
  [/^SQLite format 3\0/, "an SQLite database"],
  [/^.{8}DUCK/s, "a DuckDB database"],
  [/^\x7fELF|^MZ/, "a program"],
  [/^(?:\xef\xbb\xbf)?\s*[[{]/, "a JSON file"],
  [/^(?:\xef\xbb\xbf)?\s*</, "an HTML or XML file"],
  [/^[\t\n\r\x20-\x7e\x80-\xff]+$/, "a text file"],
];

/** Messages for errors of the system when a file is read. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  ENOTDIR: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "a symbolic link in a loop",
  EIO: "read error of the disk",
  EMFILE: "too many open files",
};

/** The kind of a file that is not an archive, e.g. `a JSON file`. */
export function looksLike(head: Buffer): string {
  const text = head.toString("latin1");
  const look = LOOKS.find(([pattern]) => pattern.test(text));
  return look === undefined ? `data that starts with the bytes ${head.toString("hex", 0, 8)}` : look[1];
}

/** The error for a system error on reading `path`; an error with a message of ours is returned unchanged. */
export function unreadable(path: string, error: unknown): Error {
  if (error instanceof CensusError) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return archiveError(path, SYSTEM_ERRORS[code ?? ""] ?? `cannot be read: ${code ?? messageOf(error)}`, error);
}

/** The bytes of an open file from `start` up to `end` (not included), in pieces of at most 256 KiB. */
export async function* readRange(file: FileHandle, path: string, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const wanted = Math.min(READ_BYTES, end - position);
    const { bytesRead, buffer } = await file
      .read(Buffer.allocUnsafe(wanted), 0, wanted, position)
      .catch((error: unknown) => {
        throw unreadable(path, error);
      });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** All bytes; for ranges that are known to be small. */
export async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
