import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { User } from "./user.ts";

/** An access to a file or folder. */
export type Right = "read" | "write" | "search";

const bits = { read: 4, write: 2, search: 1 } as const;
const flags = { read: constants.R_OK, write: constants.W_OK, search: constants.X_OK } as const;

/** A missing permission: the path, and what is missing there. */
export interface Obstacle {
  readonly path: string;
  /** e.g. `/etc/census/ssl has mode 0700, owner 0, group 0` */
  readonly because: string;
}

/**
 * Checks whether a user may use an existing file or folder: the path itself, and the folders above it. For another user
 * the result is computed from modes, owners and groups, because the current user may have more permissions; access
 * control lists are not considered then.
 */
export function obstacleFor(user: User, path: string, ...rights: readonly Right[]): Obstacle | undefined {
  const whole = resolve(path);
  for (const folder of foldersAbove(whole)) {
    if (!isAllowed(user, folder, ["search"])) return obstacle(folder);
  }
  return isAllowed(user, whole, rights) ? undefined : obstacle(whole);
}

/** The nearest folder at or above a path that exists. */
export function existingFolder(path: string): string {
  const whole = resolve(path);
  const found = statOf(whole);
  const above = dirname(whole);
  return found?.isDirectory() === true || above === whole ? whole : existingFolder(above);
}

/** Every folder above a path, the root first. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), above];
}

/** Whether a user may use an existing file or folder, whatever the folders above it allow. */
export function isAllowed(user: User, path: string, rights: readonly Right[]): boolean {
  if (user.isSelf || process.platform === "win32") return isAllowedToSelf(path, rights);
  const found = statOf(path);
  // Nothing of the system's own shows what this program may not look at: it is then said where that is read.
  return found === undefined || rights.every((right) => modeAllows(user, found, right));
}

function isAllowedToSelf(path: string, rights: readonly Right[]): boolean {
  try {
    accessSync(
      path,
      rights.reduce((all, right) => all | flags[right], 0),
    );
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/**
 * Decides as the system does by modes: for the owner only the owner's bits count, then the group's, then the others'.
 */
export function modeAllows(
  { uid, gids }: Pick<User, "uid" | "gids">,
  file: Pick<Stats, "uid" | "gid" | "mode"> & { isDirectory(): boolean },
  right: Right,
): boolean {
  // Root reads and writes everything, searches every folder, and runs only files that have an x for anyone.
  if (uid === 0) return right !== "search" || file.isDirectory() || (file.mode & 0o111) !== 0;
  const shift = uid === file.uid ? 6 : gids.includes(file.gid) ? 3 : 0;
  return ((file.mode >> shift) & bits[right]) !== 0;
}

/** What the modes of a path say. */
export function obstacle(path: string): Obstacle {
  const found = statOf(path);
  if (found === undefined) return { path, because: "permission denied" };
  const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
  return { path, because: `${path} has mode ${mode}, owner ${found.uid}, group ${found.gid}` };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
