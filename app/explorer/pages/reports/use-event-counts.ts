import { useRef, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import type { RowSource } from "../table/row-source.ts";
import type { EventCounts, ReportsRow } from "./rows.ts";

/** Rows whose counts are fetched together. */
const CHUNK = 100;

interface CountRow {
  readonly report: string;
  readonly status: string;
  readonly count: number;
}

/** Counts the events of the reports that are seen, by status. */
export function useEventCounts(source: RowSource<ReportsRow>): {
  readonly source: RowSource<ReportsRow>;
  /** Undefined while they are on their way. */
  readonly counts: (hash: string) => EventCounts | undefined;
} {
  const [seen, setSeen] = useState({ first: 0, end: CHUNK });
  const known = useRef(new Map<string, Record<string, number>>());
  const wanted: string[] = [];
  for (let index = seen.first; index < Math.min(seen.end, source.count ?? 0); index += 1) {
    const hash = source.row(index)?.hash;
    if (hash !== undefined) wanted.push(hash);
  }
  const loaded = useQuery<CountRow>(
    wanted.length === 0
      ? undefined
      : {
          name: "Events of the reports shown",
          pql: query("events", {
            select: ["report", "status", "count()"],
            where: `report in [${wanted.map((hash) => literal(hash)).join(", ")}]`,
            groupBy: ["report", "status"],
          }),
        },
  );
  if (!loaded.isLoading && loaded.value !== undefined) remember(known.current, wanted, loaded.value);
  const show = (first: number, last: number): void => {
    source.show(first, last);
    const from = Math.floor(first / CHUNK) * CHUNK;
    const end = (Math.floor(last / CHUNK) + 1) * CHUNK;
    if (from !== seen.first || end !== seen.end) setSeen({ first: from, end });
  };
  return { source: { ...source, show }, counts: (hash) => known.current.get(hash) };
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
