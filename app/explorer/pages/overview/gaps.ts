import { median } from "../node/runs.ts";

/** The median time between points in time. @param times ms, in any order @returns ms; undefined for fewer than two */
export function medianGap(times: readonly number[]): number | undefined {
  const sorted = times.toSorted((one, other) => one - other);
  return median(sorted.slice(1).map((time, index) => time - (sorted[index] ?? time)));
}
