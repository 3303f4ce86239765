import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** A file into which one goes on writing, so that what is there must be on disk. */
export interface DurableFile {
  readonly handle: FileHandle;
  /** Writes at `position`; resolves when the disk has it. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
}

/** Only Linux promises that a write to a file opened like this is as good as one with an `fdatasync` behind it. */
const WRITES_THROUGH = process.platform === "linux";

/** Makes or opens a file for {@link DurableFile.write}: on Linux that is one call of the system rather than two. */
export async function openDurably(path: string): Promise<DurableFile> {
  const { O_RDWR, O_CREAT, O_DSYNC } = constants;
  const handle = await open(path, WRITES_THROUGH ? O_RDWR | O_CREAT | O_DSYNC : O_RDWR | O_CREAT);
  return {
    handle,
    write: WRITES_THROUGH
      ? (buffers, position) => writeAll(handle, buffers, position)
      : (buffers, position) => writeDurably(handle, buffers, position),
  };
}

/** Writes at `position` and waits until the disk has it. */
export async function writeDurably(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  await writeAll(file, buffers, position);
  await file.datasync();
}

async function writeAll(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  let rest = buffers;
  let at = position;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    // A disk that is nearly full takes a part; the next try says why.
    at += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
}

function behind(buffers: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written;
  return buffers.flatMap((buffer) => {
    const kept = buffer.subarray(Math.min(skip, buffer.length));
    skip -= buffer.length - kept.length;
    return kept.length === 0 ? [] : [kept];
  });
}

/** Makes a folder, and those above it, where they are not there yet; their names are durable then. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Makes names that were made, changed or removed in a folder durable; Windows has no such thing and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
