import { stringifyJson } from "#storage/json.ts";
import { counted } from "../output/counted.ts";
import { type Outcome, summaryOf } from "./outcome.ts";

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
