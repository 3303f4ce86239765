import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { databaseFile } from "#storage/store-database.ts";
import type { Settings } from "../settings/settings.ts";
import type { Context } from "./context.ts";
import { type Finding, type Reporter, reporter } from "./finding.ts";
import { existingFolder, isAllowed, type Obstacle, obstacle, obstacleFor } from "./permissions.ts";
import type { User } from "./user.ts";

const [MB, GB] = [1_000_000, 1_000_000_000];

/** With less space than this the service stops storing soon. */
const LEAST_FREE = 100 * MB;

/** With less than this, or than a copy of the store needs, backups and compaction fail. */
const ENOUGH_FREE = GB;

/** Minimum free inodes: a file system can be full of small files. */
const LEAST_ENTRIES = 1000;

/**
 * Checks the folders that the service writes to, and their free space.
 * @param directory the data directory
 */
export function checkFolders({ http, signIn }: Settings, directory: string, context: Context): Finding[] {
  const data = reporter("data directory", context.where("global", "vardir"));
  const logs = [
    { path: http.accessLog?.path, name: "access-log" },
    { path: signIn?.auditLog, name: "audit-log" },
  ];
  return [
    checkDataDirectory(directory, data, context),
    ...checkSpace(directory, reporter("disk space", context.where("global", "vardir"))),
    ...logs.flatMap(({ path, name }) =>
      path === undefined
        ? []
        : [checkLog(path, reporter(name.replace("-", " "), context.where("census", name)), context)],
    ),
  ];
}

function checkDataDirectory(path: string, report: Reporter, { user }: Context): Finding {
  if (!existsSync(path)) {
    const folder = existingFolder(path);
    const found = obstacleFor(user, folder, "write", "search");
    if (found === undefined) return report.ok(`${path} will be created at the first start`);
    const what = `${path} does not exist, and ${user.name} cannot create it: ${found.because}`;
    return report.error(what, `install -d -o ${user.name} -m 0700 ${path}`);
  }
  if (!statSync(path).isDirectory()) return report.error(`${path} is not a directory`, "set vardir to a directory");
  const found = obstacleFor(user, path, "read", "write", "search") ?? obstacleBelow(user, path);
  if (found === undefined) return report.ok(`${path} can be written by ${user.name}`);
  const what = `${found.path} cannot be read and written by ${user.name}: ${found.because}`;
  return report.error(what, `chown -R ${user.name} ${path}`);
}

/** The first file or folder below a data directory that a user may not use, e.g. one that root made there. */
function obstacleBelow(user: User, folder: string): Obstacle | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const rights = entry.isDirectory() ? (["read", "write", "search"] as const) : (["read", "write"] as const);
    if (entry.isSymbolicLink() || entry.name === "lost+found") continue;
    const found = isAllowed(user, path, rights) ? undefined : obstacle(path);
    const below = found ?? (entry.isDirectory() ? obstacleBelow(user, path) : undefined);
    if (below !== undefined) return below;
  }
  return undefined;
}

function checkSpace(path: string, report: Reporter): Finding[] {
  const folder = existingFolder(path);
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const store = statSync(join(path, databaseFile), { throwIfNoEntry: false })?.size ?? 0;
  const what = `${sizeText(free)} free for ${path}`;
  // Some file systems have no fixed number of entries, and say 0 of 0.
  const entries =
    files > 0 && ffree < LEAST_ENTRIES
      ? [report.error(`the file system of ${folder} has only ${ffree} free inodes`, "remove files there")]
      : [];
  if (free < LEAST_FREE) return [...entries, report.error(`only ${what}`, "free space, or move the data directory")];
  if (free < Math.max(ENOUGH_FREE, store)) {
    const needed = `only ${what}; backup and compaction need ${sizeText(Math.max(ENOUGH_FREE, store))}`;
    return [...entries, report.warning(needed, "free space, or move the data directory")];
  }
  return [...entries, report.ok(what)];
}

function checkLog(path: string, report: Reporter, { user }: Context): Finding {
  const isThere = existsSync(path);
  const folder = existingFolder(dirname(path));
  if (folder !== dirname(path)) {
    return report.error(`the directory ${dirname(path)} does not exist`, `install -d -o ${user.name} ${dirname(path)}`);
  }
  const found = isThere ? obstacleFor(user, path, "write") : obstacleFor(user, folder, "write", "search");
  if (found === undefined) return report.ok(`${path} can be written by ${user.name}`);
  const what = `${path} cannot be written by ${user.name}: ${found.because}`;
  return report.error(what, `chown ${user.name} ${found.path}`);
}

function sizeText(bytes: number): string {
  return bytes < GB ? `${Math.floor(bytes / MB)} MB` : `${(bytes / GB).toFixed(1)} GB`;
}
