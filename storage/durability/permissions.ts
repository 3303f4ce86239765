import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";

/** What may lie in a data directory besides hidden files, e.g. of a service user whose home it is. */
const OWN = /^(?:census\.duckdb(?:\..+)?|store\.json(?:\..+)?|queue|backup|uploads|lost\+found|\..*)$/;

/** Bits that let anybody but the owner in. */
const OTHERS = 0o077;

const [FOLDER, FILE] = [0o700, 0o600];

/** The umask that the process was started with; undefined until {@link keepFilesPrivate} has changed it. */
let usual: number | undefined;

/**
 * From here on every file that the process makes is its owner's alone, those of the engine included, which cannot be told a
 * mode. A thread that may not change that leaves it to the directory's mode.
 */
export function keepFilesPrivate(): void {
  try {
    const before = process.umask(OTHERS);
    usual ??= before;
  } catch {
    // Only the main thread may.
  }
}

/** The mode that a file would have had before {@link keepFilesPrivate}: for files that others are meant to read. */
export function usualMode(mode: number): number {
  return mode & ~(usual ?? process.umask());
}

/**
 * Takes the rights of everybody but the owner away from a data directory and what is in it.
 * @returns what was changed, or could not be, as a sentence; undefined where nothing had to be
 */
export function tightenPermissions(directory: string): string | undefined {
  if (process.platform === "win32" || !existsSync(directory)) return undefined;
  try {
    const names = readdirSync(directory);
    const own = names.filter((name) => OWN.test(name) && !name.startsWith(".") && name !== "lost+found");
    // A directory that holds other things, too, is not ours to close.
    const isOurs = names.every((name) => OWN.test(name));
    const changed = own.map((name) => tighten(join(directory, name))).reduce((sum, count) => sum + count, 0);
    const closed = isOurs ? tightenOne(directory, FOLDER) : 0;
    if (changed + closed === 0) return undefined;
    return `${directory}: could be read by others than its owner; its mode is ${FOLDER.toString(8)} now, that of its files ${FILE.toString(8)}`;
  } catch (error) {
    return `${directory}: can be read by others than its owner, and its mode cannot be changed: ${messageOf(error)}`;
  }
}

/** What is in a folder that was closed already has been out of reach: thousands of dead letters need no look. */
function tighten(path: string): number {
  if (!statSync(path).isDirectory()) return tightenOne(path, FILE);
  if (tightenOne(path, FOLDER) === 0) return 0;
  for (const name of readdirSync(path)) tighten(join(path, name));
  return 1;
}

/** @returns how many were changed */
function tightenOne(path: string, mode: number): number {
  if ((statSync(path).mode & OTHERS) === 0) return 0;
  chmodSync(path, mode);
  return 1;
}
