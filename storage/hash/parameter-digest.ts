import { hash } from "node:crypto";

/**
 * What a resource's parameter is found by: 60 bits of SHA-1 over its name and its value as it is kept, so few that the
 * engine compares them as numbers and so many that two parameters share them by no accident.
 * The third migration of `storage/schema` computes the same for what was stored before.
 */
export function parameterDigest(name: string, value: string): bigint {
  return BigInt(`0x${hash("sha1", `${name}\u0001${value}`).slice(0, 15)}`);
}
