import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { CensusError, messageOf, systemCodeOf } from "#storage/errors.ts";
import { tarGzPieces, writeTarGz } from "./write-tar.ts";
import type { WrittenMember } from "./written-member.ts";
import { writeZip } from "./write-zip.ts";

export interface WriteArchiveOptions {
  readonly format: "tar.gz" | "zip";
  /** the time of every member; the same members with the same time give the same bytes */
  readonly mtime: Date;
}

/** The last second that tar-stream can write; later ones would become negative. */
const LAST_TIME = new Date((2 ** 31 - 1) * 1000);

/** Messages for errors of the system when a file is written. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such directory",
  ENOTDIR: "no such directory",
  EISDIR: "is a directory",
  ENOTEMPTY: "is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "disk quota exceeded",
  EFBIG: "too large for the file system",
};

/** Writes members with harmless names. Ends the target, or destroys it on any error. */
type Writer = (target: Writable, members: AsyncIterable<WrittenMember>, mtime: Date) => Promise<void>;

const writers: Readonly<Record<WriteArchiveOptions["format"], Writer>> = { "tar.gz": writeTarGz, zip: writeZip };

/**
 * Writes an archive to a stream, which is ended: gzip'd tar as in exports (reference/archive.md §1), or zip. Names that
 * no importer would accept are made harmless, see {@link memberName}. On an error of the members or the target, the
 * target is destroyed rather than ended, so that an incomplete archive is not mistaken for a complete one. Memory is
 * constant for tar.gz; a zip's directory needs about 12 kB for each member when it is written at the end.
 * @throws errors of the members or the target
 */
export async function writeArchive(
  target: Writable,
  members: AsyncIterable<WrittenMember>,
  { format, mtime }: WriteArchiveOptions,
): Promise<void> {
  await writers[format](target, harmless(members), writableTime(mtime));
}

/**
 * The bytes of a tar.gz archive as {@link writeArchive} writes it, for callers that send them themselves.
 * @throws errors of the members
 */
export function archivePieces(members: AsyncIterable<WrittenMember>, mtime: Date): AsyncGenerator<Buffer, void> {
  return tarGzPieces(harmless(members), writableTime(mtime));
}

function writableTime(mtime: Date): Date {
  return mtime > LAST_TIME ? LAST_TIME : mtime;
}

async function* harmless(members: AsyncIterable<WrittenMember>): AsyncGenerator<WrittenMember> {
  for await (const { name, body } of members) yield { name: memberName(name), body };
}

/**
 * Writes an archive file; see {@link replaceFile}.
 * @throws as that; errors of the members are not changed
 */
export async function writeArchiveFile(
  path: string,
  members: AsyncIterable<WrittenMember>,
  options: WriteArchiveOptions,
): Promise<void> {
  await replaceFile(path, (target) => writeArchive(target, members, options));
}

/**
 * Writes a file: in the same directory under a temporary name, flushed to the disk, and renamed when it is complete. An
 * existing file is replaced; on an error it stays as it was, and the temporary file is removed.
 * @param fill writes the content and ends or destroys the target
 * @throws CensusError `bad-file` when the file cannot be written; errors of `fill` are not changed
 */
export async function replaceFile(path: string, fill: (target: Writable) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.census-${randomUUID()}.tmp`);
  const target = createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true });
  let fault: unknown;
  target.on("error", (error: NodeJS.ErrnoException) => {
    // `fill` destroys the target with its own errors; errors of the system have the name of a system call.
    if (error.syscall !== undefined) fault = error;
  });
  try {
    await fill(target);
    await rename(temporary, path).catch((error: unknown) => {
      fault = error;
      throw error;
    });
  } catch (error) {
    // Its error precedes that, and is known already.
    if (!target.closed) await once(target, "close").catch(() => undefined);
    await rm(temporary, { force: true });
    throw fault === undefined || fault !== error ? error : unwritable(path, fault);
  }
}

/**
 * A member's name as it is written: a certname may contain characters that no importer accepts in a path (backslashes,
 * NUL, `.` and `..` as segments); these are percent-encoded. The member's content has the certname itself.
 */
export function memberName(name: string): string {
  return name
    .replace(/[\0\\]/g, percent)
    .split("/")
    .map((segment) => (segment === "." || segment === ".." ? segment.replaceAll(".", percent) : segment))
    .join("/");
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function unwritable(path: string, error: unknown): CensusError {
  const reason = SYSTEM_ERRORS[systemCodeOf(error) ?? ""] ?? messageOf(error);
  return new CensusError("bad-file", `${path}: cannot be written: ${reason}`, {
    cause: error,
  });
}
