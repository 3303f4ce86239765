import { type Family, familyNames } from "../access/families.ts";
import { invalid, list, oneOf, parseFile, record, text } from "../access/json-file.ts";
import { type Role, roleNames } from "../access/roles.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { passwordHash } from "./password-hash.ts";

/** A token. The token itself is not in the file. */
export interface TokenEntry {
  readonly name: string;
  /** SHA-256 of the whole token, in hex. */
  readonly sha256: string;
  /** Families, or one role. */
  readonly may: readonly (Family | Role)[];
  /** When it was created, when it expires (null: never) and when it was revoked; ISO 8601. */
  readonly created: string;
  readonly expires: string | null;
  readonly revoked?: string;
}

/** A user who signs in with a password. */
export interface UserEntry {
  /** As `passwords.ts` makes it. */
  readonly password: string;
  readonly role?: Role;
  readonly groups: readonly string[];
}

/** The content of `access-file`: who may use the service, besides clients with certificates. */
export interface AccessFile {
  /** By the public id in the token. */
  readonly tokens: ReadonlyMap<string, TokenEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  /** The role of each group; that of `*` is everybody's who signed in. */
  readonly groups: ReadonlyMap<string, Role>;
  /** People whose sessions have been ended: `sso:alice`, and when; ISO 8601. */
  readonly signedOut: ReadonlyMap<string, string>;
}

export const emptyAccessFile: AccessFile = {
  tokens: new Map(),
  users: new Map(),
  groups: new Map(),
  signedOut: new Map(),
};

/** @throws CensusError "bad-file" naming the file, the place in it and what was expected */
export async function readAccessFile(path: string): Promise<AccessFile> {
  return parseAccessFile(await readNamedFile("access-file", path), `access-file: ${path}`);
}

/**
 * @param where the file, for messages
 * @throws CensusError "bad-file", as {@link readAccessFile}
 */
export function parseAccessFile(json: string, where: string): AccessFile {
  const content = record(where, parseFile(where, json), ["tokens", "users", "groups", "signed_out"]);
  const { tokens, users, groups, signed_out: signedOut } = content;
  return {
    tokens: entries(`${where}: tokens`, tokens, readToken),
    users: entries(`${where}: users`, users, readUser),
    groups: entries(`${where}: groups`, groups, roleOf),
    signedOut: entries(`${where}: signed_out`, signedOut, time),
  };
}

/** The text of the file: pretty, for people who look at changes. */
export function accessFileText({ tokens, users, groups, signedOut }: AccessFile): string {
  const parts = { tokens, users, groups, signed_out: signedOut };
  const filled = Object.entries(parts).filter(([, { size }]) => size > 0);
  return `${JSON.stringify(Object.fromEntries(filled.map(([name, part]) => [name, Object.fromEntries(part)])), null, 2)}\n`;
}

function readToken(place: string, value: unknown): TokenEntry {
  const token = record(place, value, ["name", "sha256", "may", "created", "expires", "revoked"]);
  const { revoked, expires, may = [] } = token;
  return {
    name: text(`${place}: name`, token["name"], /./, "a name"),
    sha256: text(`${place}: sha256`, token["sha256"], /^[0-9a-f]{64}$/, "64 hex digits"),
    may: list(`${place}: may`, may, permission),
    created: time(`${place}: created`, token["created"]),
    expires: expires === null ? null : time(`${place}: expires`, expires),
    ...(revoked === undefined ? {} : { revoked: time(`${place}: revoked`, revoked) }),
  };
}

function readUser(place: string, value: unknown): UserEntry {
  const { password, role, groups = [] } = record(place, value, ["password", "role", "groups"]);
  return {
    password: text(`${place}: password`, password, passwordHash, "a hash that census user made"),
    ...(role === undefined ? {} : { role: roleOf(`${place}: role`, role) }),
    groups: list(`${place}: groups`, groups, (item, name) => text(item, name, /./, "a group")),
  };
}

function permission(place: string, value: unknown): Family | Role {
  const expected = `one of ${familyNames.join(", ")}, or a role: ${roleNames.join(", ")}`;
  return oneOf(place, value, [...familyNames, ...roleNames], expected);
}

function roleOf(place: string, value: unknown): Role {
  return oneOf(place, value, roleNames, `a role: ${roleNames.join(", ")}`);
}

function time(place: string, value: unknown): string {
  const expected = "a time such as 2026-11-20T12:00:00Z";
  const found = text(place, value, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, expected);
  if (Number.isNaN(Date.parse(found))) throw invalid(place, `expected ${expected}`);
  return found;
}

function entries<T>(place: string, value: unknown, read: (place: string, entry: unknown) => T): Map<string, T> {
  const all = Object.entries(value === undefined ? {} : record(place, value));
  return new Map(all.map(([name, entry]) => [name, read(`${place}: ${JSON.stringify(name)}`, entry)]));
}
