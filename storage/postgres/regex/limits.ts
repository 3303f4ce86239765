import type { CharSet, Node } from "./tree.ts";
import { childrenOf, inRe2 } from "./write.ts";

/** RE2 rejects counted repetitions whose counts multiply to more than this. */
const RE2_REPEATS = 1000;

/** RE2 rejects programs beyond a size; this is safely below it, in the units of {@link size}. */
const RE2_SIZE = 65_000;

/** For the cost of backtracking, more repetitions than this count as unlimited. */
const MANY = 16;

/** Whether RE2 can run the pattern: it can express everything in it, and the pattern is small enough. */
export function fitsRe2(root: Node): boolean {
  return isExpressible(root) && countProduct(root) <= RE2_REPEATS && size(root) <= RE2_SIZE;
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

/** Word edges are written as several sets, each with the categories of a word's characters. */
const EDGE_SIZE = 1000;

/** The JavaScript engine would take too long to compile a larger pattern, in the units of {@link size}. */
const JS_SIZE = 100_000;

/** Whether the JavaScript engine can compile the pattern in a fraction of a second. It does not expand repetitions. */
export function fitsJs(root: Node): boolean {
  return jsSize(root) <= JS_SIZE;
}

function jsSize(node: Node): number {
  if (node.kind === "set") return setSize(node.set);
  if (node.kind === "place") return node.place.includes("word") ? EDGE_SIZE : 1;
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
