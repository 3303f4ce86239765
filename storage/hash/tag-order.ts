import { sortShort } from "../short-list.ts";

/**
 * The order in which PuppetDB's language iterates a set of strings. It decides catalog hashes and the order of tags in
 * results (reference/hashing.md §3).
 */

/** The texts without repetitions, in set order. Texts whose hashes collide stay in their order. */
export function inSetOrder(texts: Iterable<string>): string[] {
  const distinct = [...new Set(texts)];
  if (distinct.length < 2) return distinct;
  const placed = distinct.map((text) => ({ text, place: setPlace(text) }));
  return sortShort(placed, (a, b) => a.place - b.place).map(({ text }) => text);
}

/**
 * The position of a text in its set. The set is a tree with five bits of the hash per level, the lowest first, so these
 * groups of bits are the digits of the position, with the lowest group as the highest digit.
 */
function setPlace(text: string): number {
  const hash = setHash(text);
  let place = 0;
  for (let shift = 0; shift < 30; shift += 5) place = place * 32 + ((hash >>> shift) & 31);
  return place * 4 + (hash >>> 30);
}

/** PuppetDB's signed 32-bit hash of a string: Murmur3 of Java's `String.hashCode`. */
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
