import type { Database } from "../engine/database.ts";
import type { Timestamp } from "../time.ts";

/** What a node can be in the overview, in the order in which it is told. */
export const overviewStates = ["unresponsive", "unreported", "noop", "failed", "unchanged", "changed"] as const;

export type OverviewState = (typeof overviewStates)[number];

/** How many active nodes there are of each; every node is one of them. */
export type StateOverview = Readonly<Record<OverviewState, number>>;

/**
 * The first that holds (`reference/lifecycle.md §8`): a node whose latest report was received
 * before `$1` is unresponsive, whatever the report says, and a noop run is noop, whatever became of it. A run that neither
 * failed nor changed anything left the node unchanged, by whatever word its agent calls that. Reports of plans are no
 * node's latest.
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
  GROUP BY ALL`;

/**
 * Counts the active nodes by what their latest report says.
 * @param since nodes that nothing was received from since then are unresponsive
 */
export async function stateOverview(database: Database, since: Timestamp): Promise<StateOverview> {
  const rows = await database.rows<{ state: OverviewState; nodes: bigint }>(statement, [{ micros: since }]);
  const counted = new Map(rows.map(({ state, nodes }) => [state, Number(nodes)]));
  return Object.fromEntries(overviewStates.map((state) => [state, counted.get(state) ?? 0])) as StateOverview;
}
