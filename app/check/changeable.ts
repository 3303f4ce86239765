import { statSync } from "node:fs";

/** Permission to write, for the file's group and for all others. */
const OTHERS = 0o022;
/** Directories such as /tmp, where only the owner of a file may replace it. */
const STICKY = 0o1000;

/**
 * Whether users other than the owner may change a file or directory: `/usr/bin/census has mode 0777`. Undefined if not, and
 * for what does not exist. Windows has no such modes.
 */
export function changeableByOthers(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || process.platform === "win32") return undefined;
  // The group of root has no other members.
  const others = found.gid === 0 ? OTHERS & 0o007 : OTHERS;
  if ((found.mode & others) === 0 || (found.isDirectory() && (found.mode & STICKY) !== 0)) return undefined;
  return `${path} has mode ${(found.mode & 0o7777).toString(8).padStart(4, "0")}`;
}
