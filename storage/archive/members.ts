import { open, stat } from "node:fs/promises";
import { folderMembers } from "./folder.ts";
import { ArchiveGuard, archiveError, type ArchiveLimits } from "./guard.ts";
import {
  collect,
  looksLike,
  readRange,
  unreadable,
  type ArchiveMember,
  type MemberOptions,
  type OpenArchive,
} from "./source.ts";
import { gzipTarMembers, isTarHeader, tarMembers } from "./tar.ts";
import { zipMembers } from "./zip.ts";

export { DEFAULT_LIMITS, type ArchiveLimits } from "./guard.ts";
export type { ArchiveMember, MemberOptions } from "./source.ts";

/** Enough to recognise a tar: its first block. */
export const SNIFF_BYTES = 512;

/** The containers, by their first bytes. */
const FORMATS: readonly {
  begins: (head: Buffer) => boolean;
  members: (archive: OpenArchive) => AsyncIterable<ArchiveMember>;
}[] = [
  { begins: (head) => head[0] === 0x1f && head[1] === 0x8b, members: gzipTarMembers },
  { begins: (head) => /^PK(?:\x03\x04|\x05\x06)/.test(head.toString("latin1")), members: zipMembers },
  { begins: isTarHeader, members: tarMembers },
];

/** Whether a file that begins like that is an archive. */
export function isArchiveHead(head: Buffer): boolean {
  return FORMATS.some(({ begins }) => begins(head));
}

/**
 * The members of an archive, one at a time in archive order: a gzip'd or plain tar, a zip, or an unpacked folder,
 * recognised by content rather than name. Folders inside it are skipped. One member is in memory at a time; damage is
 * found when it is reached, after the members before it were returned.
 * @throws CensusError `bad-file` for anything that is not a valid, harmless archive
 */
export async function* openMembers(
  path: string,
  limits: Partial<ArchiveLimits> = {},
  options: MemberOptions = {},
): AsyncGenerator<ArchiveMember> {
  const guard = new ArchiveGuard(path, limits);
  const info = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (info.isDirectory()) {
    yield* folderMembers(path, guard, options);
    return;
  }
  if (!info.isFile()) throw archiveError(path, "neither a file nor a directory, but a pipe, a socket or a device");
  const file = await open(path, "r").catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const { size } = await file.stat();
    const read = (start: number, end: number) => readRange(file, path, start, end);
    const head = await collect(read(0, Math.min(size, SNIFF_BYTES)));
    const format = FORMATS.find(({ begins }) => begins(head));
    if (format === undefined) throw archiveError(path, `not an archive (tar, tar.gz, zip), but ${looksLike(head)}`);
    yield* format.members({ ...options, path, size, guard, read });
  } finally {
    await file.close();
  }
}
