import type { SavedQuery } from "#storage/saved-queries/types.ts";
import type { Rows } from "../output/rows.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { sqlRows } from "../sources/sql-rows.ts";

/** The rows of a saved query. */
export async function readQueryRows(
  { language, text }: SavedQuery,
  source: OpenSource,
  signal?: AbortSignal,
): Promise<Rows> {
  if (language === "SQL") return sqlRows(source, text, signal);
  return (await source.query(text, signal === undefined ? {} : { signal })).rows;
}
