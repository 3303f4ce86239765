import { sortShort } from "../short-list.ts";

/**
 * The order in which PuppetDB's language iterates a set of strings. It decides catalog hashes and the order in which
 * tags are answered (reference/hashing.md §3).
 */

/** The texts without repetitions, in set order. Texts whose hashes collide keep the order they came in. */
export function inSetOrder(texts: Iterable<string>): string[] {
  const distinct = [...new Set(texts)];
  if (distinct.length < 2) return distinct;
  const placed = distinct.map((text) => ({ text, place: setPlace(text) }));
  return sortShort(placed, (a, b) => a.place - b.place).map(({ text }) => text);
}

/**
 * Where a text stands in its set. The set is a tree that takes five bits of the hash per level, the lowest first; so the
 * groups of bits are the digits of a number, put together here with the lowest group leading.
 */
function setPlace(text: string): number {
  const hash = setHash(text);
  let place = 0;
  for (let shift = 0; shift < 30; shift += 5) place = place * 32 + ((hash >>> shift) & 31);
  return place * 4 + (hash >>> 30);
}

/** PuppetDB's 32-bit hash of a string, signed: Murmur3 of Java's `String.hashCode`. */
export function setHash(text: string): number {
  let code = 0;
  for (let index = 0; index < text.length; index++) code = (Math.imul(31, code) + text.charCodeAt(index)) | 0;
  if (code === 0) return 0;
  const mixed = Math.imul(rotateLeft(Math.imul(code, 0xcc9e2d51), 15), 0x1b873593);
  let hash = (Math.imul(rotateLeft(mixed, 13), 5) + 0xe6546b64) ^ 4;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
