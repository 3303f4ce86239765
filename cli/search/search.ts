import type { JsonObject } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { Rows } from "../output/rows.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { bestFirst, type Finding } from "#storage/search/finding.ts";
import { type RowReader, type SearchKind, searches, textQueries } from "#storage/search/kinds.ts";
import { isPlain, mayHaveAll } from "#storage/search/words.ts";

/** What was found. */
export interface SearchResult {
  readonly rows: readonly JsonObject[];
  /** How many findings there are of all kinds, those beyond the limit included. */
  readonly total: number;
}

/** Kinds with the most text, in order: they are searched first, so that both processors are busy until the end. */
const mostText: readonly SearchKind[] = ["log", "parameter"];

/** More than 0 for a kind with much text. */
function workOf(kind: SearchKind): number {
  return mostText.indexOf(kind) + 1;
}

/** Searches for all words in things of these kinds. @param limit findings of each kind */
export async function search(
  words: readonly string[],
  kinds: readonly SearchKind[],
  limit: number,
  source: OpenSource,
): Promise<SearchResult> {
  const read = rowReader(source);
  const found = new Map<SearchKind, readonly Finding[]>();
  await Promise.all(
    [...kinds]
      .sort((a, b) => workOf(b) - workOf(a))
      .map(async (kind) => {
        found.set(kind, bestFirst(await searches[kind](words, read), words));
      }),
  );
  const rows = kinds.flatMap((kind) =>
    (found.get(kind) ?? []).slice(0, limit).map(({ name, match, count }) => ({ kind, name, match, count })),
  );
  return { rows, total: [...found.values()].reduce((sum, findings) => sum + findings.length, 0) };
}

function rowReader(source: OpenSource): RowReader {
  return {
    rows: async (query) => matching((await source.query(query)).rows, []),
    containing: async (texts, words) => {
      const isStore = source.kind !== "url" && words.every(isPlain);
      const rows = isStore
        ? (await source.queries()).containing(texts, words)
        : (await source.query(textQueries[texts](words))).rows;
      return matching(rows, words);
    },
  };
}

async function matching(rows: Rows, words: readonly string[]): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const batch of rows) {
    for (const text of batch) if (mayHaveAll(text, words)) found.push(rowObject(text));
  }
  return found;
}
