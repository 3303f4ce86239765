import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Family, familyNames } from "../access/families.ts";
import { type CredentialsProblem, type Refusal, unauthenticated } from "../access/refusal.ts";
import { familiesOf, roleNames } from "../access/roles.ts";
import type { Identified, TokenSubject } from "../access/subject.ts";
import type { AccessFile, TokenEntry } from "./access-file.ts";

/** Tokens begin with it, so that scanners for secrets find them. */
const PREFIX = "census_";

/** `census_`, a public id, and 256 random bits. */
const FORM = /^census_([a-z0-9]{8})_[\w-]{43}$/;

/** Makes a token. Only its hash is kept. */
export function createToken(): { readonly id: string; readonly token: string; readonly sha256: string } {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const id = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  const token = `${PREFIX}${id}_${randomBytes(32).toString("base64url")}`;
  return { id, token, sha256: hashOf(token).toString("hex") };
}

/** The token of a request, in either of the headers that clients use; undefined: there is none. */
export function tokenIn({ headers }: IncomingMessage): string | Refusal | undefined {
  const own = headers["x-authentication"];
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  if (own !== undefined && bearer !== undefined && own !== bearer) {
    const text = "X-Authentication and Authorization have different tokens";
    return { status: 400, text, reason: text };
  }
  return typeof own === "string" ? own : bearer;
}

/** Whether a token is one of ours, or may be of Puppet Enterprise, whose clients send it to every server. */
export function isOurs(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * The subject of a token, or why it is refused. Takes as long for unknown ids as for others.
 * @param now milliseconds since the epoch
 */
export function identifyToken(token: string, { tokens }: AccessFile, now: number): Identified {
  const id = FORM.exec(token)?.[1] ?? "";
  const entry = tokens.get(id);
  const expected = entry === undefined ? Buffer.alloc(32) : Buffer.from(entry.sha256, "hex");
  const isRight = timingSafeEqual(hashOf(token), expected);
  if (entry === undefined || !isRight) return refused("invalid-token", "an unknown token");
  if (entry.revoked !== undefined) return refused("token-revoked", `the revoked token ${entry.name} (${id})`);
  if (isExpired(entry, now)) return refused("token-expired", `the expired token ${entry.name} (${id})`);
  return { subject: subjectOf(entry) };
}

export function isExpired({ expires }: TokenEntry, now: number): boolean {
  return expires !== null && Date.parse(expires) <= now;
}

function refused(kind: CredentialsProblem, what: string): Identified {
  return { invalid: unauthenticated(kind, `a request with ${what} was refused`) };
}

function subjectOf({ name, may }: TokenEntry): TokenSubject {
  const role = roleNames.find((one) => may.includes(one));
  const own = familyNames.filter((family) => may.includes(family));
  const families = new Set<Family>([...own, ...(role === undefined ? [] : familiesOf(role))]);
  return { kind: "token", name, may: families, role };
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
