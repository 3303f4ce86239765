import { randomBytes } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { TextOutput } from "../stdout.ts";
import { unfinished } from "../unfinished.ts";

/**
 * Writes a file atomically: in a directory next to it, from which it is moved into place. The caller writes to devices
 * directly, see {@link isSpecial}.
 * @param make writes into the directory and returns the path of the finished file
 * @throws CensusError "bad-file" when it cannot be written there
 */
export async function writeAtomically(path: string, make: (folder: string) => Promise<string>): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.part`);
  const done = unfinished(draft);
  try {
    await mkdir(draft, { mode: 0o700 }).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
    const made = await make(draft);
    await rename(made, path).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
    done();
  }
}

/** {@link writeAtomically} for a text that is written piece by piece. */
export async function writeTextAtomically(path: string, write: (output: TextOutput) => Promise<void>): Promise<void> {
  if (isSpecial(path)) return writeText(path, path, write);
  await writeAtomically(path, async (folder) => {
    const draft = join(folder, "text");
    await writeText(path, draft, write);
    return draft;
  });
}

/** Whether the path exists and is not a regular file, e.g. `/dev/stdout` or a pipe. */
export function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
}

async function writeText(path: string, draft: string, write: (output: TextOutput) => Promise<void>): Promise<void> {
  const stream = createWriteStream(draft, { mode: 0o666 });
  const failed = finished(stream).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  failed.catch(() => undefined);
  const output: TextOutput = {
    write: async (text) => {
      if (stream.write(text)) return;
      const drained = new Promise<void>((resolve) => {
        stream.once("drain", resolve);
      });
      await Promise.race([failed, drained]);
    },
  };
  try {
    await write(output);
  } finally {
    stream.end();
  }
  await failed;
}

function cannotWrite(path: string, error: unknown): CensusError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "no such directory",
    ENOTDIR: "no such directory",
    EACCES: "permission denied",
    EISDIR: "is a directory",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
  };
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return new CensusError("bad-file", `${path}: cannot be written: ${reasons[code] ?? messageOf(error)}`, {
    cause: error,
  });
}
