import { open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { userNumbered } from "#app/check/user.ts";
import { type AccessFile, accessFileText, emptyAccessFile, readAccessFile } from "#app/sign-in/access-file.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { belongsTo } from "../owner.ts";
import { stdout } from "../stdout.ts";
import { type AccessFileArguments, accessFilePath } from "./options.ts";

/**
 * Changes the access file of a command line, or prints what would be added with `--entry`.
 * @param change returns the new content; may throw
 * @param entry what is printed with `--entry`
 * @returns whether the file was changed
 */
export async function changeAccessFile(
  args: AccessFileArguments,
  change: (content: AccessFile) => AccessFile,
  entry: Partial<AccessFile>,
): Promise<boolean> {
  if (args.entry === true) {
    await stdout.write(accessFileText({ ...emptyAccessFile, ...entry }));
    return false;
  }
  const path = await targetOf(await accessFilePath(args));
  const unlock = await lock(path);
  try {
    await replace(path, accessFileText(change(await readOrEmpty(path))));
  } finally {
    await unlock();
  }
  process.stderr.write(`changed ${path}; a server that reads it follows within a second\n`);
  return true;
}

/** Where a link leads, so that it stays one: configuration management may have made it. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return path;
    throw new CensusError("bad-file", `${path}: is a link to ${target}, which does not exist`);
  }
}

/** The content of the file; empty where there is none yet. */
export async function readOrEmpty(path: string): Promise<AccessFile> {
  return (await found(path)) === undefined ? emptyAccessFile : readAccessFile(path);
}

/**
 * Atomically. Owner and mode stay as they are; a new file gets those of its directory.
 * @throws CensusError "bad-file", also where the new file could not get the owner: its service could not read it
 */
async function replace(path: string, text: string): Promise<void> {
  const before = await found(path);
  const { uid, gid } = before ?? (await stat(dirname(path)));
  const self = process.getuid?.();
  if (before !== undefined && self !== undefined && self !== 0 && self !== uid) {
    throw belongsTo(path, userNumbered(uid, gid), "sudo -u");
  }
  const draft = `${path}.new`;
  try {
    await rm(draft, { force: true });
    await using file = await open(draft, "wx", 0o600);
    await file.writeFile(text);
    // Of the open file: another user may own the directory, and put a link in its place.
    if (self === 0) await file.chown(uid, gid);
    // The group of its directory is that of the service.
    await file.chmod(before === undefined ? 0o640 : before.mode & 0o7777);
    await rename(draft, path);
  } catch (error) {
    throw new CensusError("bad-file", `${path}: cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Waits until no other command changes the file. */
async function lock(path: string): Promise<() => Promise<void>> {
  const name = `${path}.lock`;
  for (const end = performance.now() + 5000; ; await pause(50)) {
    try {
      await (await open(name, "wx")).close();
      return () => rm(name, { force: true });
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!isTaken)
        throw new CensusError("bad-file", `${path}: cannot be written: ${messageOf(error)}`, { cause: error });
      if (performance.now() < end) continue;
      throw new CensusError("conflict", `${path} is being changed; if nothing changes it, remove ${name}`);
    }
  }
}

async function found(path: string): Promise<{ uid: number; gid: number; mode: number } | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CensusError("bad-file", `${path}: ${messageOf(error)}`, { cause: error });
  }
}
