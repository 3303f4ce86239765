import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** A file that is written repeatedly and durably. */
export interface DurableFile {
  readonly handle: FileHandle;
  /** Writes at `position`; resolves when it is on disk. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
}

/** Only Linux guarantees that a write to a file opened like this is as durable as one followed by an `fdatasync`. */
const WRITES_THROUGH = process.platform === "linux";

/** Creates or opens a file for {@link DurableFile.write}: on Linux that is one call of the system rather than two. */
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

/** Writes at `position` and waits until it is on disk. */
export async function writeDurably(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  await writeAll(file, buffers, position);
  await file.datasync();
}

/** Writes all of it at `position`, but does not wait until it is on disk. */
export async function writeAll(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  let rest = buffers;
  let at = position;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    // A disk that is nearly full writes only a part; the next attempt reports the reason.
    at += bytesWritten;
    rest = remaining(rest, bytesWritten);
  }
}

function remaining(buffers: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written;
  return buffers.flatMap((buffer) => {
    const kept = buffer.subarray(Math.min(skip, buffer.length));
    skip -= buffer.length - kept.length;
    return kept.length === 0 ? [] : [kept];
  });
}

/** Creates a folder and its parents where they do not exist; then makes their names durable. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    await syncFolder(dirname(made));
}

/** Makes created, changed or removed names in a folder durable; Windows has no such operation and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
