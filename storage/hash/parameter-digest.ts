import { sha1 } from "./sha1.ts";

/** By name, then by value: to join the two for each look-up would take as long as the look-up. */
const cached = new Map<string, Map<string, bigint>>();
let cachedCount = 0;

/**
 * The digest by which a resource's parameter is found: 60 bits of SHA-1 over its name and its stored value. These fit
 * into a number that the engine compares fast, and are enough that two parameters do not share them by chance. The
 * third migration of `storage/schema` computes the same digest for parameters stored before it.
 */
export function parameterDigest(name: string, value: string): bigint {
  if (name.length + value.length > 64) return computed(name, value);
  const known = cached.get(name)?.get(value);
  if (known !== undefined) return known;
  const digest = computed(name, value);
  // Most parameters of a catalog occur in its other resources too.
  if (cachedCount >= 16_384) {
    cached.clear();
    cachedCount = 0;
  }
  const ofName = cached.get(name) ?? new Map<string, bigint>();
  cached.set(name, ofName.set(value, digest));
  cachedCount++;
  return digest;
}

function computed(name: string, value: string): bigint {
  return BigInt(`0x${sha1(`${name}\u0001${value}`).slice(0, 15)}`);
}
