import type { CharSet, Node } from "./tree.ts";
import { childrenOf, inRe2 } from "./write.ts";

/** For the cost of backtracking, more repetitions than this count as unlimited. */
const MANY = 16;

/** Whether RE2 can run the pattern: it can express everything in it, and the pattern is small enough. */
export function fitsRe2(root: Node): boolean {
  // RE2 rejects counted repetitions whose counts multiply to more, and programs beyond a size, which this is safely below.
  return isExpressible(root) && countProduct(root) <= 1000 && size(root) <= 65_000;
}

function isExpressible(node: Node): boolean {
  return inRe2(node) && childrenOf(node).every(isExpressible);
}

function countProduct(node: Node): number {
  const inside = childrenOf(node).reduce((most, child) => Math.max(most, countProduct(child)), 1);
  if (node.kind !== "repeat") return inside;
  return inside * Math.max(1, node.max === Infinity ? node.min : node.max);
}

/** The approximate number of instructions of the pattern in RE2. */
function size(node: Node): number {
  if (node.kind === "set") return setSize(node.set);
  const inside = childrenOf(node).reduce((sum, child) => sum + size(child), 1);
  if (node.kind !== "repeat") return inside;
  return inside * Math.max(1, node.max === Infinity ? node.min : node.max);
}

/** Whether the JavaScript engine can compile the pattern in a fraction of a second. It does not expand repetitions. */
export function fitsJs(root: Node): boolean {
  // In the units of {@link size}.
  return jsSize(root) <= 100_000;
}

function jsSize(node: Node): number {
  if (node.kind === "set") return setSize(node.set);
  // Word edges are written as several sets, each with the categories of a word's characters.
  if (node.kind === "place") return node.place.includes("word") ? 1000 : 1;
  return childrenOf(node).reduce((sum, child) => sum + jsSize(child), 1);
}

/** A set beyond ASCII is matched byte by byte, and a Unicode category is hundreds of ranges of them. */
function setSize(set: CharSet): number {
  const ranges = set.ranges.reduce((sum, [, last]) => sum + (last < 0x80 ? 1 : 8), 0);
  return ranges + (set.negated ? 8 : 0) + (set.nonWord || set.categories.length > 0 ? 250 : 0);
}

/**
 * Whether a backtracking engine could take exponential time: a repeated part contains a repetition of varying length,
 * as in `(a+)+`.
 */
export function mayExplode(node: Node): boolean {
  if (node.kind === "repeat" && node.max > MANY && varies(node.body)) return true;
  return childrenOf(node).some(mayExplode);
}

function varies(node: Node): boolean {
  if (node.kind === "repeat" && node.max > MANY && node.min !== node.max) return true;
  return childrenOf(node).some(varies);
}
