/**
 * Digests of parts of a fact set: two fact sets with the same digest have the same part. They depend on the order of facts and
 * packages, which agents keep.
 */
import { hash } from "node:crypto";
import type { Package } from "../hash/hashes.ts";
import type { VolatilePaths } from "../history/volatile-facts.ts";
import type { PreparedFacts } from "./prepared.ts";
import type { RowText } from "./row-text.ts";
import { factRow, type FactTexts } from "./rows.ts";
import { spacersAfter } from "./write/fact-tables.ts";

/** The digest of what the history records of facts, and of what it does not: scalars and empty containers, and volatile paths. */
export function digestOfSteadyFacts(facts: readonly FactTexts[], volatile: VolatilePaths): string {
  const texts = [volatile.identity];
  for (const { leaves, leafTexts } of facts) {
    for (const [at, { path }] of leaves.entries()) {
      if (!volatile.has(path)) texts.push(path, digestible(leafTexts[at] ?? ""));
    }
  }
  for (const { empty } of facts) {
    for (const [path, value] of empty) if (!volatile.has(path)) texts.push(path, value);
  }
  if (hasSpacedFacts(facts.filter(({ name }) => volatile.mayHave(name)).map(factRow), volatile)) texts.push("spaced");
  return digestOf(texts);
}

/** Whether rows are kept apart from those of volatile facts, which are then deleted with all facts of the node. */
export function hasSpacedFacts(facts: PreparedFacts["facts"], volatile: VolatilePaths): boolean {
  return facts.some(([name, value, key]) => volatile.mayHave(name) && spacersAfter(value, key) > 0);
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
