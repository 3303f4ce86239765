import { useRef } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import type { EventCounts, ReportsRow } from "./rows.ts";

interface CountRow {
  readonly report: string;
  readonly status: string;
  readonly count: number;
}

/** Counts the events of reports by status. @returns counts by hash; undefined while they are on their way */
export function useEventCounts(reports: readonly ReportsRow[]): (hash: string) => EventCounts | undefined {
  const known = useRef(new Map<string, Record<string, number>>());
  const hashes = reports.map(({ hash }) => hash);
  const loaded = useQuery<CountRow>(
    hashes.length === 0
      ? undefined
      : {
          name: "Events of the reports shown",
          pql: query("events", {
            select: ["report", "status", "count()"],
            where: `report in [${hashes.map((hash) => literal(hash)).join(", ")}]`,
            groupBy: ["report", "status"],
          }),
        },
  );
  if (!loaded.isLoading && loaded.value !== undefined) remember(known.current, hashes, loaded.value);
  return (hash) => known.current.get(hash);
}

function remember(
  known: Map<string, Record<string, number>>,
  wanted: readonly string[],
  rows: readonly CountRow[],
): void {
  for (const hash of wanted) known.set(hash, {});
  for (const { report, status, count } of rows) {
    const counts = known.get(report);
    if (counts !== undefined) counts[status] = count;
  }
}
