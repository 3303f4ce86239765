import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";

/** Files that a data directory may contain besides hidden ones, e.g. of a service user whose home it is. */
const OWN = /^(?:census\.duckdb(?:\..+)?|store\.json(?:\..+)?|queue|backup|uploads|lost\+found|\..*)$/;

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

const [FOLDER, FILE] = [0o700, 0o600];

/** The umask that the process was started with; undefined until {@link keepFilesPrivate} has changed it. */
let usual: number | undefined;

/**
 * Makes every file that the process creates from now on private to its owner, including the engine's, which has no
 * setting for modes. A thread that cannot change the umask relies on the directory's mode.
 */
export function keepFilesPrivate(): void {
  try {
    const before = process.umask(OTHERS);
    usual ??= before;
  } catch {
    // Only the main thread can.
  }
}

/** The mode that a file would have had before {@link keepFilesPrivate}: for files that others are meant to read. */
export function usualMode(mode: number): number {
  return mode & ~(usual ?? process.umask());
}

/**
 * Removes the permissions of everybody but the owner from a data directory and its contents.
 * @returns a sentence about the changes or failures; undefined if nothing had to be changed
 */
export function tightenPermissions(directory: string): string | undefined {
  if (process.platform === "win32" || !existsSync(directory)) return undefined;
  try {
    const names = readdirSync(directory);
    const own = names.filter((name) => OWN.test(name) && !name.startsWith(".") && name !== "lost+found");
    // A directory with other contents belongs to somebody else.
    const isOurs = names.every((name) => OWN.test(name));
    const changed = own.map((name) => tighten(join(directory, name))).reduce((sum, count) => sum + count, 0);
    const closed = isOurs ? tightenOne(directory, FOLDER) : 0;
    if (changed + closed === 0) return undefined;
    return `${directory}: could be read by others than its owner; its mode is ${FOLDER.toString(8)} now, that of its files ${FILE.toString(8)}`;
  } catch (error) {
    return `${directory}: can be read by others than its owner, and its mode cannot be changed: ${messageOf(error)}`;
  }
}

/** The contents of a private folder are unreachable for others, so thousands of dead letters need not be checked. */
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
