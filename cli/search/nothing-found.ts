import { nearestNames } from "../names/nearest.ts";
import { knownNames, knownNodes } from "../names/known-names.ts";
import type { ReadRows } from "../sources/read-rows.ts";

/** Why a search has no findings: the names that a word may have been meant to be, a line for each such word. */
export async function whyNothingFound(words: readonly string[], readRows: ReadRows): Promise<string[]> {
  const lists = await Promise.all([
    knownNodes(readRows).then((nodes) => nodes.map(({ certname }) => certname)),
    ...(["class", "fact", "package"] as const).map((kind) => knownNames(kind, readRows)),
  ]);
  const names = [...new Set(lists.flat())];
  return words.flatMap((word) => {
    const near = nearestNames(word, names).filter((name) => !name.toLowerCase().includes(word.toLowerCase()));
    return near.length === 0 ? [] : [`nothing contains ${JSON.stringify(word)}; did you mean ${near.join(" or ")}?`];
  });
}
