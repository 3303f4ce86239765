import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";

const OTHERS_MAY_WRITE = 0o002;
const GROUP_MAY_WRITE = 0o020;
const STICKY = 0o1000;

/**
 * The reason why another user could have written to a directory or replaced it; undefined: only its owner and root
 * could. Windows protects a user's cache and temporary directories itself.
 */
export function doubtAbout(folder: string): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  // Follow links in the path: permissions of the real path count.
  const real = realpathSync(folder);
  if (lstatSync(folder).isSymbolicLink()) return `${folder} is a link`;
  const own = lstatSync(real);
  if (own.uid !== uid && own.uid !== 0) return `${folder} belongs to another user`;
  if (isWritableByOthers(own)) return `${folder} can be written by others`;
  for (let path = dirname(real); ; path = dirname(path)) {
    const above = lstatSync(path);
    if (above.uid !== uid && above.uid !== 0) return `${path} belongs to another user`;
    // In a directory with the sticky bit users cannot replace files of others.
    if (isWritableByOthers(above) && (above.mode & STICKY) === 0) return `${path} can be written by others`;
    if (path === dirname(path)) return undefined;
  }
}

/** A group with the same number as its user is that user's private group. */
function isWritableByOthers({ mode, uid, gid }: Stats): boolean {
  return (mode & OTHERS_MAY_WRITE) !== 0 || ((mode & GROUP_MAY_WRITE) !== 0 && gid !== uid && gid !== 0);
}
