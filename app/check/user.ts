import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { CensusError } from "#storage/errors.ts";

/** Who a service runs as. */
export interface User {
  readonly name: string;
  readonly uid: number;
  /** Its own group first. */
  readonly gids: readonly number[];
  /** Whether it is the current user: then the system itself can check permissions. */
  readonly isSelf: boolean;
}

/** Who runs this program; on Windows a user whose permissions only the system knows. */
export function currentUser(): User {
  const { username: name, uid, gid } = userInfo();
  return { name, uid, gids: [gid, ...(process.getgroups?.() ?? [])], isSelf: true };
}

/**
 * A user of this system by name or number, with all groups.
 * @throws CensusError "bad-input" when the user does not exist
 */
export function userCalled(name: string): User {
  const found = fromSystem(name) ?? fromFiles(name);
  if (found === undefined) throw new CensusError("bad-input", `--as-user: unknown user ${JSON.stringify(name)}`);
  return { ...found, isSelf: found.uid === process.getuid?.() };
}

/** The user with this number, which may have no name, as in containers: the number is its name then. */
export function userNumbered(uid: number, gid: number): User {
  const found = fromSystem(String(uid)) ?? fromFiles(String(uid)) ?? { name: String(uid), uid, gids: [gid] };
  return { ...found, isSelf: uid === process.getuid?.() };
}

type Found = Omit<User, "isSelf">;

/** The user in the output of `id`, which includes directories such as LDAP. */
function fromSystem(name: string): Found | undefined {
  if (name.startsWith("-")) return undefined;
  const id = (option: string): string => {
    const { status, stdout } = spawnSync("id", [option, "--", name], { encoding: "utf8" });
    return status === 0 ? stdout.trim() : "";
  };
  const [uid, groups] = [id("-u"), id("-G")];
  if (!/^\d+$/.test(uid) || !/^\d+( \d+)*$/.test(groups)) return undefined;
  return { name: id("-un") || name, uid: Number(uid), gids: groups.split(" ").map(Number) };
}

/** The user in the system's files, where `id` is missing. */
function fromFiles(name: string): Found | undefined {
  const row = databaseRows("/etc/passwd").find(([known, , uid]) => known === name || uid === name);
  const [known, , uid, gid] = row ?? [];
  if (known === undefined || uid === undefined || gid === undefined) return undefined;
  const others = databaseRows("/etc/group").filter(([, , , members = ""]) => members.split(",").includes(known));
  return { name: known, uid: Number(uid), gids: [gid, ...others.map(([, , id = ""]) => id)].map(Number) };
}

function databaseRows(path: string): string[][] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
