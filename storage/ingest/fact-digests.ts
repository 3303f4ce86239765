/**
 * Digests of parts of a fact set: two fact sets with the same digest have the same part. They depend on the order of facts and
 * packages, which agents keep.
 */
import { hash } from "node:crypto";
import type { Package } from "../hash/hashes.ts";
import type { VolatilePaths } from "../history/volatile-facts.ts";
import type { PreparedFacts } from "./prepared.ts";
import type { RowText } from "./row-text.ts";
import { spacersAfter } from "./write/fact-tables.ts";

/** The digest of what the history records of facts, and of what it does not: scalars and empty containers, and volatile paths. */
export function digestOfSteadyFacts(
  { facts, leaves, empty }: Pick<PreparedFacts, "facts" | "leaves" | "empty">,
  volatile: VolatilePaths,
): string {
  const texts = [volatile.identity];
  for (const leaf of leaves) {
    const path = volatile.steadyPath(leaf[0]);
    if (path === undefined) continue;
    const value = leaf.length === 3 ? leaf[1] : facts[leaf[1]]?.[1];
    texts.push(path, digestible(value ?? ""));
  }
  for (const [path, value] of empty) if (!volatile.has(path)) texts.push(path, value);
  if (hasSpacedFacts(facts, volatile)) texts.push("spaced");
  return digestOf(texts);
}

/** Whether rows are kept apart from those of volatile facts, which are then deleted with all facts of the node. */
export function hasSpacedFacts(facts: PreparedFacts["facts"], { names }: VolatilePaths): boolean {
  return facts.some(([name, value, key]) => names?.has(name) !== false && spacersAfter(value, key) > 0);
}

/** The digest of the packages of a fact set; empty where it has none. */
export function digestOfPackages(packages: readonly Package[]): string {
  return packages.length === 0 ? "" : digestOf(packages.flat());
}

function digestOf(texts: readonly string[]): string {
  return hash("sha1", texts.join("\u0001"), "base64url");
}

function digestible(value: RowText): string {
  return typeof value === "string" ? value : hash("sha1", value, "base64url");
}
