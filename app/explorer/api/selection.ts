import { type Silence, silenceAt } from "#storage/states/node-state.ts";
import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { QueryError } from "#storage/query/errors.ts";
import type { RowsSpec } from "#storage/query/query.ts";
import type { Clock } from "#storage/time.ts";
import type { QuerySettings } from "../../query/settings.ts";
import type { ExplorerServices } from "../services.ts";

/** Bytes that the body of a request may have: it is read on the event loop. */
export const LARGEST_BODY = 256 * 1024;

/**
 * A query as the query API reads it at its root: AST where the text begins with `[`, PQL otherwise.
 * @throws QueryError when it is invalid JSON
 */
export function readQuery(text: string, { agentReportsOnly, limits }: QuerySettings): RowsSpec {
  const settings = { limits, options: { everyReportType: !agentReportsOnly } };
  if (!/^\s*\[/.test(text)) return { pql: text, ...settings };
  const query = parseQueryJson(text);
  if (!Array.isArray(query)) throw new QueryError("A query must be PQL or a JSON array");
  return { query, ...settings };
}

/** The time at which nodes are silent is rounded to this, ms: answers that depend on it are cached for as long. */
const SILENT_STEP = 10_000;

/** The nodes that are silent. @param clock of the state that is read */
export function silence({ explorer }: ExplorerServices, clock: Clock): Silence {
  const now = Number(clock.now() / 1000n);
  return silenceAt(now - (now % SILENT_STEP), explorer.settings.silentAfter);
}
