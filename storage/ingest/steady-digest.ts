import { hash } from "node:crypto";
import type { VolatilePaths } from "../history/volatile-facts.ts";
import { pathOfKey } from "./fact-paths.ts";
import type { PreparedFacts } from "./prepared.ts";
import type { RowText } from "./row-text.ts";

/**
 * A digest of what the history of a fact set records: its scalars and empty containers other than
 * volatile ones, and its packages. Two fact sets
 * with the same digest differ in nothing that is recorded. It depends on the order of the facts, which agents keep.
 */
export function steadyDigest(
  { facts, leaves, empty, packages }: Pick<PreparedFacts, "facts" | "leaves" | "empty" | "packages">,
  volatile: VolatilePaths,
): string {
  const texts: string[] = [];
  for (const leaf of leaves) {
    if (volatile.has(pathOfKey(leaf[0]))) continue;
    const value = leaf.length === 3 ? leaf[1] : facts[leaf[1]]?.[1];
    texts.push(leaf[0], digestible(value ?? ""));
  }
  for (const [path, value] of empty) if (!volatile.has(path)) texts.push(path, value);
  for (const tuple of packages) texts.push(...tuple);
  return hash("sha1", texts.join("\u0001"), "base64url");
}

function digestible(value: RowText): string {
  return typeof value === "string" ? value : hash("sha1", value, "base64url");
}
