import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Writes at `position` and waits until the disk has it. */
export async function writeDurably(file: FileHandle, buffers: Uint8Array[], position: number): Promise<void> {
  let rest = buffers;
  let at = position;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    // A disk that is nearly full takes a part; the next try says why.
    at += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
  await file.datasync();
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
