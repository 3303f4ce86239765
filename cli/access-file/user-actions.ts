import { readFile } from "node:fs/promises";
import type { Role } from "#app/access/roles.ts";
import { roleNames } from "#app/access/roles.ts";
import type { AccessFile, UserEntry } from "#app/sign-in/access-file.ts";
import { hashPassword } from "#app/sign-in/password-hash.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { UsageError } from "../errors.ts";
import { printRows } from "../output/print.ts";
import { rowsOf } from "../output/rows.ts";
import { changeAccessFile, readOrEmpty } from "./edit.ts";
import { type AccessFileArguments, accessFilePath } from "./options.ts";

const LEAST_LENGTH = 12;

export interface UserArguments extends AccessFileArguments {
  readonly role?: string | undefined;
  readonly groups?: string | undefined;
  readonly "password-file"?: string | undefined;
  readonly output?: "table" | "json" | undefined;
}

/** Adds a user with a password, a role and groups. */
export async function add(name: string, args: UserArguments): Promise<void> {
  if (name.includes(":")) throw new UsageError("user: the NAME of a user must not contain a colon");
  const role = readRole(args.role);
  const groups = (args.groups ?? "").split(",").filter((group) => group !== "");
  if (role === undefined && groups.length === 0)
    throw new UsageError(`user: add needs --role: ${roleNames.join(", ")}`);
  const password = hashPassword(await readPassword(args));
  const entry: UserEntry = { password, ...(role === undefined ? {} : { role }), groups };
  const change = (content: AccessFile): AccessFile => {
    if (!content.users.has(name)) return { ...content, users: new Map([...content.users, [name, entry]]) };
    throw new CensusError("conflict", `a user named "${name}" exists; change the password with census user password`);
  };
  await changeAccessFile(args, change, { users: new Map([[name, entry]]) });
}

/** Changes a password, which ends the user's sessions. */
export async function password(name: string, args: UserArguments): Promise<void> {
  const user = await known(name, args);
  const entry = { ...user, password: hashPassword(await readPassword(args)) };
  const added = { users: new Map([[name, entry]]), signedOut: new Map([[`user:${name}`, now()]]) };
  await changeAccessFile(args, (content) => merged(content, added), added);
}

/** Removes a user, which ends the user's sessions. */
export async function remove(name: string, args: UserArguments): Promise<void> {
  if (args.entry === true) throw new UsageError("user: remove has no --entry: remove the user where it is managed");
  await known(name, args);
  const others = (content: AccessFile): AccessFile["users"] =>
    new Map([...content.users].filter(([other]) => other !== name));
  await changeAccessFile(args, (content) => ({ ...content, users: others(content) }), {});
}

/** Ends all sessions of a person on all servers: `alice`, `sso:alice`. */
export async function signOut(name: string, args: UserArguments): Promise<void> {
  const subject = /^(?:user|sso|proxy):/.test(name) ? name : `user:${name}`;
  const added = { signedOut: new Map([[subject, now()]]) };
  await changeAccessFile(args, (content) => merged(content, added), added);
}

/** Gives a role to a group; `*` is everybody who signs in. */
export async function group(name: string, args: UserArguments): Promise<void> {
  const role = readRole(args.role);
  if (role === undefined) throw new UsageError(`user: group needs --role: ${roleNames.join(", ")}`);
  const added = { groups: new Map([[name, role]]) };
  await changeAccessFile(args, (content) => merged(content, added), added);
}

/** Rows of all users and of the groups with a role. */
export async function list(args: UserArguments): Promise<void> {
  const { users, groups } = await readOrEmpty(await accessFilePath(args));
  const rows = [
    ...[...users].map(([name, user]) => ({
      kind: "user",
      name,
      role: user.role ?? null,
      groups: user.groups.join(", "),
    })),
    ...[...groups].map(([name, role]) => ({ kind: "group", name, role, groups: "" })),
  ];
  await printRows(rowsOf(rows), args.output);
}

function merged(
  content: AccessFile,
  { users = new Map(), groups = new Map(), signedOut = new Map() }: Partial<AccessFile>,
): AccessFile {
  return {
    ...content,
    users: new Map([...content.users, ...users]),
    groups: new Map([...content.groups, ...groups]),
    signedOut: new Map([...content.signedOut, ...signedOut]),
  };
}

async function known(name: string, args: UserArguments): Promise<UserEntry> {
  const user = (await readOrEmpty(await accessFilePath(args))).users.get(name);
  if (user !== undefined) return user;
  throw new CensusError("not-found", `there is no user named "${name}"`);
}

function now(): string {
  return new Date().toISOString();
}

function readRole(text: string | undefined): Role | undefined {
  const role = roleNames.find((name) => name === text);
  if (text === undefined || role !== undefined) return role;
  throw new UsageError(`--role must be one of ${roleNames.join(", ")}, not ${JSON.stringify(text)}`);
}

/** Of a file, its first line; else typed twice. */
async function readPassword({ "password-file": path }: UserArguments): Promise<string> {
  const password = path === undefined ? await typedPassword() : await passwordIn(path);
  if (password.length >= LEAST_LENGTH) return password;
  throw new UsageError(`the password must have ${LEAST_LENGTH} characters or more`);
}

async function passwordIn(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CensusError("bad-file", `${path}: ${messageOf(error)}`, { cause: error });
  });
  return text.split(/\r?\n/)[0] ?? "";
}

async function typedPassword(): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError("user: there is no terminal for a password: give --password-file");
  }
  const { isCancel, password } = await import("@clack/prompts");
  const typed = async (message: string): Promise<string> => {
    const text = await password({ message, output: process.stderr });
    if (isCancel(text)) throw new UsageError("user: cancelled");
    return text;
  };
  const first = await typed(`Password, ${LEAST_LENGTH} characters or more`);
  if ((await typed("The same again")) === first) return first;
  throw new UsageError("the passwords differ");
}
