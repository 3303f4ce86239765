import type { ReadableDatabase } from "../engine/overlaid.ts";
import type { Timestamp } from "../time.ts";

/** The states of a node in the overview, in the order of the response. */
export const overviewStates = ["unresponsive", "unreported", "noop", "failed", "unchanged", "changed"] as const;

export type OverviewState = (typeof overviewStates)[number];

/** The number of active nodes in each state; every node is in exactly one. */
export type StateOverview = Readonly<Record<OverviewState, number>>;

/**
 * The first state that applies (`reference/lifecycle.md §8`). A node whose latest report was received before `$1` is
 * unresponsive, whatever the report says; a noop run is noop, whatever its status. A run that neither failed nor
 * changed anything is unchanged, whatever its agent calls the status. Reports of plans are never a node's latest.
 */
const statement = `
  SELECT CASE
      WHEN n.report_id IS NULL THEN 'unreported'
      WHEN r.receive_time < $1 THEN 'unresponsive'
      WHEN n.report_noop THEN 'noop'
      WHEN n.report_status IN ('failed', 'changed') THEN n.report_status
      ELSE 'unchanged'
    END AS state, count(*) AS nodes
  FROM nodes n LEFT JOIN reports r ON r.id = n.report_id
  WHERE n.deactivated IS NULL AND n.expired IS NULL
  GROUP BY 1`;

/**
 * Counts the active nodes by their latest report.
 * @param since nodes whose latest report was received before are unresponsive
 */
export async function stateOverview(database: ReadableDatabase, since: Timestamp): Promise<StateOverview> {
  const rows = await database.rows<{ state: OverviewState; nodes: bigint }>(statement, [{ micros: since }]);
  const counted = new Map(rows.map(({ state, nodes }) => [state, Number(nodes)]));
  return Object.fromEntries(overviewStates.map((state) => [state, counted.get(state) ?? 0])) as StateOverview;
}
