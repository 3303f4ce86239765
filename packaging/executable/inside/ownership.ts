import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";

const OTHERS_MAY_WRITE = 0o002;
const GROUP_MAY_WRITE = 0o020;
const STICKY = 0o1000;

/**
 * Why somebody else could have put files into a folder, or another folder into its place; undefined: only its owner and
 * root could. Windows keeps a user's cache and temporary folders from others itself.
 */
export function doubtAbout(folder: string): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  // Links on the way to it are followed: where it really lies counts.
  const real = realpathSync(folder);
  if (lstatSync(folder).isSymbolicLink()) return `${folder} is a link`;
  const own = lstatSync(real);
  if (own.uid !== uid && own.uid !== 0) return `${folder} belongs to another user`;
  if (isWritableByOthers(own)) return `${folder} can be written by others`;
  for (let path = dirname(real); ; path = dirname(path)) {
    const above = lstatSync(path);
    if (above.uid !== uid && above.uid !== 0) return `${path} belongs to another user`;
    // In a folder with the sticky bit nobody can replace what is another's.
    if (isWritableByOthers(above) && (above.mode & STICKY) === 0) return `${path} can be written by others`;
    if (path === dirname(path)) return undefined;
  }
}

/** A group of the same number as its user is that user's alone. */
function isWritableByOthers({ mode, uid, gid }: Stats): boolean {
  return (mode & OTHERS_MAY_WRITE) !== 0 || ((mode & GROUP_MAY_WRITE) !== 0 && gid !== uid && gid !== 0);
}
