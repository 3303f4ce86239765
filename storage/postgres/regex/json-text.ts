import type { CharSet, Node } from "./tree.ts";
import { childrenOf } from "./write.ts";

/** The last control character, and the half of a surrogate pair: JSON may write them as escapes. */
const LAST_CONTROL = 0x1f;
const SURROGATES = [0xd800, 0xdfff] as const;

/**
 * Whether a string that the pattern matches always has JSON text that it matches too: it matches only characters that JSON does
 * not escape, wherever they are in the string.
 */
export function matchesInJson(node: Node): boolean {
  if (node.kind === "set") return hasNoEscapes(node.set);
  return node.kind !== "place" && node.kind !== "look" && childrenOf(node).every(matchesInJson);
}

function hasNoEscapes({ negated, nonWord, categories, ranges }: CharSet): boolean {
  if (negated || nonWord || categories.length > 0) return false;
  const has = (code: number): boolean => ranges.some(([first, last]) => first <= code && code <= last);
  return !(
    has(0x22) ||
    has(0x5c) ||
    ranges.some(([first, last]) => first <= LAST_CONTROL || (first <= SURROGATES[1] && last >= SURROGATES[0]))
  );
}
