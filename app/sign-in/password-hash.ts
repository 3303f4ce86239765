import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

/**
 * Costs of scrypt: a check takes about a quarter of a second and 32 MiB. The logarithm of N, r, p; they are part of each
 * hash, so that later versions can raise them.
 */
const COSTS = [15, 8, 3] as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A hash of a password: `scrypt:15:8:3:SALT:HASH`, salt and hash in base64url. */
export const passwordHash = /^scrypt:(1[0-8]):(\d{1,2}):(\d{1,2}):([\w-]{22}):([\w-]{43})$/;

/** Blocks for a quarter of a second. */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  return ["scrypt", ...COSTS, salt.toString("base64url"), derive(password, salt, COSTS).toString("base64url")].join(
    ":",
  );
}

/** Blocks, as {@link hashPassword}. */
export function isPassword(password: string, hash: string): boolean {
  const [, n, r, p, salt = "", expected = ""] = passwordHash.exec(hash) ?? [];
  const derived = derive(password, Buffer.from(salt, "base64url"), [Number(n), Number(r), Number(p)]);
  return timingSafeEqual(derived, Buffer.from(expected, "base64url"));
}

/** What the password of an unknown user is compared with, so that it takes as long: nobody's password. */
export const nobodysHash = ["scrypt", ...COSTS, "A".repeat(22), "A".repeat(43)].join(":");

function derive(password: string, salt: Buffer, [n, r, p]: readonly [number, number, number]): Buffer {
  const N = 2 ** n;
  // Node's limit is exclusive of a little more than the 128 · N · r bytes that are used.
  return scryptSync(password.normalize("NFC"), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r });
}
