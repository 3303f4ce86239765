import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { obstacleFor } from "#app/check/permissions.ts";
import { type User, userNumbered } from "#app/check/user.ts";
import { CensusError } from "#storage/errors.ts";

/**
 * Lets a command that writes to a data directory work as the directory's owner, so that the service can read and remove
 * what the command makes there. Root becomes the owner for the rest of the process; anybody else must be allowed to write.
 * Called before anything in the directory is opened. A directory that does not exist belongs to whoever makes it.
 * @param files that the command reads, which the owner must be allowed to read
 * @returns the owner, if the process became another user
 * @throws CensusError "bad-file" with the command to type
 */
export function actAsOwner(directory: string, files: readonly string[] = []): User | undefined {
  const self = process.getuid?.();
  const found = statSync(directory, { throwIfNoEntry: false });
  if (self === undefined || found === undefined || found.uid === self) return undefined;
  if (self !== 0) {
    if (isWritable(directory)) return undefined;
    throw belongsTo(directory, userNumbered(found.uid, found.gid), "sudo -u");
  }
  const owner = userNumbered(found.uid, found.gid);
  for (const file of files) {
    const obstacle = obstacleFor(owner, resolve(file), "read");
    if (obstacle === undefined) continue;
    const reason = `${file}: cannot be read by ${owner.name}, the owner of ${directory}: ${obstacle.because}`;
    throw new CensusError("bad-file", `${reason}; move it to where ${owner.name} can read it, e.g. /var/tmp`);
  }
  try {
    process.setgroups?.([...owner.gids]);
    process.setgid?.(owner.gids[0] ?? found.gid);
    process.setuid?.(owner.uid);
  } catch {
    // A container may not let its root become another user.
    throw belongsTo(directory, owner, "runuser -u");
  }
  return owner;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * What is said to somebody who may not act for the owner of a file or directory.
 * @param become how the user can become the owner: `sudo -u`
 */
export function belongsTo(path: string, { name }: User, become: "sudo -u" | "runuser -u"): CensusError {
  const separator = become.startsWith("runuser") ? "-- " : "";
  const command = `${become} ${name} ${separator}census ${process.argv.slice(2).map(quoted).join(" ")}`;
  return new CensusError("bad-file", `${path}: belongs to ${name}; run the command as this user: ${command}`);
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
