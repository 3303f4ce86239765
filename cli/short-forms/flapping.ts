import { FEWEST_CHANGES, statusChanges } from "#storage/display/flapping.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { largestFirst } from "./groups.ts";

/**
 * Nodes whose runs failed and succeeded in turn, those with most changes first.
 * @param reports of any nodes, with certname, status and end_time; the oldest first
 */
export function flapping(reports: readonly JsonObject[]): JsonObject[] {
  const nodes = [...Map.groupBy(reports, (row) => cellText(row["certname"]))].map(([certname, runs]): JsonObject => {
    const latest = runs.at(-1);
    return {
      certname,
      status: latest?.["status"] ?? null,
      changes: statusChanges(runs.map(({ status }) => status)),
      failed: runs.filter(({ status }) => status === "failed").length,
      runs: runs.length,
      end_time: latest?.["end_time"] ?? null,
    };
  });
  return largestFirst(
    nodes.filter(({ changes }) => Number(changes) >= FEWEST_CHANGES),
    "changes",
    "failed",
  );
}
