import { hash } from "node:crypto";
import type { VolatilePaths } from "../history/volatile-facts.ts";
import type { PreparedFacts, SteadyDigests } from "./prepared.ts";
import type { RowText } from "./row-text.ts";

/**
 * Digests of what the history of a fact set records: its scalars and empty containers other than volatile ones, and its
 * packages. Two fact sets with the same digest have the same of these. It depends on the order of the facts, which agents keep.
 */
export function steadyDigests(
  { facts, leaves, empty, packages }: Pick<PreparedFacts, "facts" | "leaves" | "empty" | "packages">,
  volatile: VolatilePaths,
): SteadyDigests {
  const texts: string[] = [];
  for (const leaf of leaves) {
    const path = volatile.steadyPath(leaf[0]);
    if (path === undefined) continue;
    const value = leaf.length === 3 ? leaf[1] : facts[leaf[1]]?.[1];
    texts.push(path, digestible(value ?? ""));
  }
  for (const [path, value] of empty) if (!volatile.has(path)) texts.push(path, value);
  return { values: digestOf(texts), packages: digestOf(packages.flat()) };
}

function digestOf(texts: readonly string[]): string {
  return hash("sha1", texts.join("\u0001"), "base64url");
}

function digestible(value: RowText): string {
  return typeof value === "string" ? value : hash("sha1", value, "base64url");
}
