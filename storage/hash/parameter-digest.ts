import { sha1 } from "./sha1.ts";

/** So many digests are remembered: most parameters of a catalog are those of its other resources. */
const REMEMBERED = 16_384;

/** Texts of more characters are not remembered. */
const LONGEST = 64;

const remembered = new Map<string, bigint>();

/**
 * What a resource's parameter is found by: 60 bits of SHA-1 over its name and its value as it is kept, so few that the
 * engine compares them as numbers and so many that two parameters share them by no accident.
 * The third migration of `storage/schema` computes the same for what was stored before.
 */
export function parameterDigest(name: string, value: string): bigint {
  const text = `${name}\u0001${value}`;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const digest = BigInt(`0x${sha1(text).slice(0, 15)}`);
  if (text.length > LONGEST) return digest;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(text, digest);
  return digest;
}
