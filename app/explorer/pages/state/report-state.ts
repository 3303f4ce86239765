import type { StateKey } from "./states.ts";

/** The columns of `reports` that decide how a run went. */
export interface ReportStateRow {
  readonly status: string | null;
  readonly cached_catalog_status: string | null;
  readonly corrective_change: boolean | null;
  readonly noop_pending: boolean | null;
}

export const reportStateColumns = ["status", "cached_catalog_status", "corrective_change", "noop_pending"] as const;

/** The result of a run, as one of a node's states. */
export function stateOfReport(row: ReportStateRow): StateKey {
  if (row.status === "failed") return "failed";
  if (row.cached_catalog_status === "on_failure") return "hidden";
  if (row.corrective_change === true) return "corrective";
  if (row.status === "changed") return "changed";
  return row.noop_pending === true ? "pending" : "unchanged";
}
