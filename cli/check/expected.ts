import { stringifyJson } from "#storage/json.ts";
import type { Bounds, Expectation } from "#storage/saved-queries/types.ts";
import { counted } from "../output/counted.ts";

/** What is expected, e.g. `no rows`, `1 to 3 rows`. */
export function expectedText(expectation: Expectation): string {
  if (expectation.kind === "change") {
    if (expectation.mayBeNew) return "no missing rows";
    return expectation.mayBeMissing ? "no new rows" : "the same rows";
  }
  const { count, column } = expectation;
  const parts = [
    ...(count === undefined ? [] : [countText(count)]),
    ...(column?.only === undefined ? [] : [`${column.name} only ${column.only.map(stringifyJson).join(", ")}`]),
    ...(column?.includes === undefined
      ? []
      : [`rows with ${column.name} ${column.includes.map(stringifyJson).join(", ")}`]),
    ...(column?.bounds === undefined ? [] : [`${column.name} ${boundsText(column.bounds)}`]),
  ];
  return parts.join("; ");
}

function countText({ min, max }: Bounds): string {
  if (max === 0) return "no rows";
  if (min === max) return counted(min, "row");
  return `${boundsText({ min, max })} ${max === 1 || (min === 1 && max === Number.POSITIVE_INFINITY) ? "row" : "rows"}`;
}

function boundsText({ min, max }: Bounds): string {
  if (min === max) return String(min);
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === Number.NEGATIVE_INFINITY ? `at most ${max}` : `from ${min} to ${max}`;
}
