import { rowObject } from "#storage/output/cells.ts";
import type { JsonObject } from "#storage/json.ts";
import { MORE } from "#storage/query/containing-texts.ts";
import type { Queries } from "#storage/query/queries.ts";
import { bestFirst, type Found } from "#storage/search/finding.ts";
import { type RowReader, type SearchKind, searches, textQueries } from "#storage/search/kinds.ts";
import { isPlain, mayHaveAll } from "#storage/search/words.ts";

/** Characters of rows that are looked at for one kind, so that a search neither fills the memory nor blocks others. */
const MOST_TEXT = 8_000_000;

export interface SearchSpec {
  readonly words: readonly string[];
  readonly kind: SearchKind;
  /** Findings, at most. */
  readonly limit: number;
}

/** Searches the things of a kind as `census search` does. @param signal ends the queries */
export async function searchKind(
  queries: Queries,
  { words, kind, limit }: SearchSpec,
  signal: AbortSignal,
): Promise<Found> {
  const share = { left: MOST_TEXT, isCut: false };
  const findings = bestFirst(await searches[kind](words, readerOf(queries, share, signal)), words);
  return { total: findings.length, findings: findings.slice(0, limit), isComplete: share.left > 0 && !share.isCut };
}

/** How many characters may still be looked at. */
interface Share {
  left: number;
  /** Whether there is more than the store has looked at. */
  isCut: boolean;
}

function readerOf(queries: Queries, share: Share, signal: AbortSignal): RowReader {
  const rows = async (pql: string, words: readonly string[] = []): Promise<JsonObject[]> => {
    const found: JsonObject[] = [];
    const { rows: batches } = await queries.run(queries.plan({ of: "root", pql }), { signal });
    for await (const batch of batches) if (!keep(batch.texts(), words, { found, share })) break;
    return found;
  };
  return {
    rows,
    containing: async (of, words) => {
      if (!words.every(isPlain)) return rows(textQueries[of](words), words);
      const found: JsonObject[] = [];
      for await (const texts of queries.containing(of, words, { isLimited: true, signal })) {
        if (!keep(texts, words, { found, share })) break;
      }
      return found;
    },
  };
}

/** Keeps the rows that may contain all words. @returns whether more may be looked at */
function keep(
  texts: readonly string[],
  words: readonly string[],
  { found, share }: { readonly found: JsonObject[]; readonly share: Share },
): boolean {
  for (const text of texts) {
    if (share.left <= 0) return false;
    share.isCut ||= text === MORE;
    if (text === MORE || !mayHaveAll(text, words)) continue;
    share.left -= text.length;
    found.push(rowObject(text));
  }
  return share.left > 0;
}
