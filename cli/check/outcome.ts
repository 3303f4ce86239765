import { stringifyJson } from "#storage/json.ts";
import type { SavedQuery } from "#storage/saved-queries/types.ts";
import type { Timestamp } from "#storage/time.ts";
import { counted } from "../output/counted.ts";
import type { WriteOptions } from "../output/rows.ts";
import type { TextOutput } from "../stdout.ts";
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

/** Why a check failed as plain lines: what was found, unknown names, advice, the first rows as JSON. */
export function plainLines(outcome: Outcome): string[] {
  const { check, verdict } = outcome;
  const rows = verdict?.rows ?? [];
  const left = (verdict?.count ?? 0) - rows.length;
  return [
    summaryOf(outcome),
    ...outcome.remarks,
    ...(check.advice === undefined ? [] : [check.advice]),
    ...rows.map((row) => stringifyJson(row)),
    ...(left > 0 ? [`… ${counted(left, "more row")}`] : []),
  ];
}

/** What was checked. */
export interface CheckReport {
  readonly outcomes: readonly Outcome[];
  /** The name of the source. */
  readonly source: string;
  /** The name of the source that it was compared with. */
  readonly against: string | undefined;
  readonly now: () => Promise<Timestamp>;
}

export type ReportWriter = (report: CheckReport, output: TextOutput, options: WriteOptions) => Promise<void>;
