import type { JsonObject } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { bestFirst } from "./finding.ts";
import { type ReadMatching, type SearchKind, searches } from "./kinds.ts";
import { mayHaveAll } from "./words.ts";

/** What was found. */
export interface SearchResult {
  readonly rows: readonly JsonObject[];
  /** How many findings there are of all kinds, those beyond the limit included. */
  readonly total: number;
}

/** Searches for all words in things of these kinds. @param limit findings of each kind */
export async function search(
  words: readonly string[],
  kinds: readonly SearchKind[],
  limit: number,
  source: OpenSource,
): Promise<SearchResult> {
  const read = matchingReader(source);
  const found = await Promise.all(
    kinds.map(async (kind) => ({ kind, findings: bestFirst(await searches[kind](words, read), words) })),
  );
  const rows = found.flatMap(({ kind, findings }) => findings.slice(0, limit).map((finding) => ({ kind, ...finding })));
  return { rows, total: found.reduce((sum, { findings }) => sum + findings.length, 0) };
}

function matchingReader(source: OpenSource): ReadMatching {
  return async (query, words = []) => {
    const { rows } = await source.query(query);
    const found: JsonObject[] = [];
    for await (const batch of rows) {
      for (const text of batch) if (mayHaveAll(text, words)) found.push(rowObject(text));
    }
    return found;
  };
}
