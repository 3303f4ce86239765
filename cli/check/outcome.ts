import type { SavedQuery } from "#storage/saved-queries/types.ts";
import type { Verdict } from "./judge.ts";

/** A check that was made or left out. */
export interface Outcome {
  /** The file of the check. */
  readonly path: string;
  readonly check: SavedQuery;
  readonly status: "passed" | "failed" | "skipped";
  /** What was expected, e.g. `no rows`. */
  readonly expected: string;
  /** Why the query has no rows, where it has a name that the source does not have; a line each. */
  readonly remarks: readonly string[];
  /** Why the source did not answer the query; undefined: it did. */
  readonly error?: string;
  /** Undefined: skipped, or not answered. */
  readonly verdict: Verdict | undefined;
  /** Seconds that it took. */
  readonly seconds: number;
}

/** Why a check was left out. */
export const skipReason = "needs --against OLD";

/** The outcome in a line: `3 rows, expected no rows`. */
export function summaryOf({ status, verdict, expected, error }: Outcome): string {
  if (error !== undefined) return `cannot run: ${error}`;
  if (verdict === undefined) return `skipped, ${skipReason}`;
  if (status === "failed" && verdict.isMet)
    return `${verdict.found}, but the query names what the source does not have`;
  return status === "passed" ? verdict.found : `${verdict.found}; expected ${expected}`;
}

/** Whether a check failed whose severity makes the command fail. */
export function isFailure({ status, check }: Outcome): boolean {
  return status === "failed" && check.severity === "error";
}
