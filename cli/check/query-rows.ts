import { stringifyJson } from "#storage/json.ts";
import type { SavedQuery } from "#storage/saved-queries/types.ts";
import {
  type NodeStateRow,
  silenceAt,
  stateCondition,
  stateFields,
  stateKeys,
  stateOf,
} from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import type { Rows } from "../output/rows.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { pqlText } from "../short-forms/pql.ts";
import { rowReader } from "../sources/read-rows.ts";

/** The rows of a saved query. */
export async function readQueryRows(
  { language, text }: SavedQuery,
  source: OpenSource,
  signal?: AbortSignal,
): Promise<Rows> {
  if (language === "SQL") return source.sql(text, { signal });
  if (language === "states") return nodesInStates(text.split(", "), source, signal);
  return (await source.query(text, { signal })).rows;
}

/** The nodes in some states, each with its own. */
async function* nodesInStates(states: readonly string[], source: OpenSource, signal: AbortSignal | undefined): Rows {
  const silence = silenceAt(Number((await source.now()) / 1000n), await source.silentAfter());
  const conditions = stateKeys.filter((key) => states.includes(key)).map((key) => stateCondition(key, silence));
  const query = pqlText({
    entity: "nodes",
    fields: ["certname", ...stateFields(silence)],
    conditions: [conditions.map((each) => `(${each})`).join(" or ")],
    order: ["order by certname"],
  });
  const rows = await rowReader(source, signal)(query);
  yield rows.map((row) => {
    const state = stateLabels[stateOf(row as unknown as NodeStateRow, silence)];
    return stringifyJson({ certname: row["certname"] ?? null, state });
  });
}
