import { sha1 } from "./sha1.ts";

/** Maximum cached digests: most parameters of a catalog occur in its other resources too. */
const MAX_CACHED = 16_384;

/** Maximum characters of a text whose digest is cached. */
const MAX_CACHED_LENGTH = 64;

const cached = new Map<string, bigint>();

/**
 * The digest by which a resource's parameter is found: 60 bits of SHA-1 over its name and its stored value. These fit
 * into a number that the engine compares fast, and are enough that two parameters do not share them by chance. The
 * third migration of `storage/schema` computes the same digest for parameters stored before it.
 */
export function parameterDigest(name: string, value: string): bigint {
  const text = `${name}\u0001${value}`;
  const known = cached.get(text);
  if (known !== undefined) return known;
  const digest = BigInt(`0x${sha1(text).slice(0, 15)}`);
  if (text.length > MAX_CACHED_LENGTH) return digest;
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(text, digest);
  return digest;
}
