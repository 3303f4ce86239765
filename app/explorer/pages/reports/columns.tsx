import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { catalogLabel } from "../report/catalog-label.ts";
import { stateOfReport } from "../state/report-state.ts";
import { StateMark } from "../state/state-mark.tsx";
import { CellLink } from "../table/cell-link.tsx";
import type { Column } from "../table/column.ts";
import { formatDuration, formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import type { EventCounts, ReportsRow } from "./rows.ts";

/** Longer texts are cut in cells. Characters. */
const SHOWN = 200;

/** The columns of the list of reports. @param counts of a report's events, when they are known */
export function reportsTable(counts: (hash: string) => EventCounts | undefined): readonly Column<ReportsRow>[] {
  const events = (key: string, title: string, meaning: string): Column<ReportsRow> => ({
    key,
    title,
    meaning,
    width: 92,
    align: "end",
    cell: (row) => <Count count={count(counts(row.hash), key)} />,
  });
  return [
    {
      key: "end_time",
      title: "End",
      width: 160,
      sort: "end_time",
      cell: (row) => <CellLink href={href("report", [row.hash])}>{formatTime(row.end_time)}</CellLink>,
    },
    {
      key: "status",
      title: "State",
      width: 128,
      sort: "status",
      cell: (row) => <StateMark state={stateOfReport(row)} />,
    },
    {
      key: "certname",
      title: "Certname",
      width: 280,
      grows: true,
      sort: "certname",
      text: (row) => row.certname,
      cell: (row) => (
        <CellLink href={href("node", [row.certname])}>
          <Text text={row.certname} limit={SHOWN} />
        </CellLink>
      ),
    },
    text("environment", "Environment", 124),
    {
      key: "duration",
      title: "Duration",
      width: 104,
      align: "end",
      cell: ({ start_time: start, end_time: end }) =>
        start === null || end === null ? "–" : formatDuration((Date.parse(end) - Date.parse(start)) / 1000),
    },
    events("failure", "Failed", "Events with status failure"),
    events("success", "Changed", "Events with status success"),
    events("skipped", "Skipped", "Events with status skipped"),
    events("noop", "Pending", "Events with status noop"),
    text("configuration_version", "Configuration version", 180),
    text("puppet_version", "Agent", 84),
    text("producer", "Producer", 200),
    {
      key: "noop",
      title: "Noop",
      width: 80,
      sort: "noop",
      cell: ({ noop }) => (noop === true ? "noop" : <span class="muted">–</span>),
    },
    {
      key: "cached_catalog_status",
      title: "Catalog",
      width: 150,
      sort: "cached_catalog_status",
      text: (row) => catalogLabel(row.cached_catalog_status),
      cell: (row) => catalogLabel(row.cached_catalog_status),
    },
  ];
}

function text(
  key: "environment" | "configuration_version" | "puppet_version" | "producer",
  title: string,
  width: number,
): Column<ReportsRow> {
  return {
    key,
    title,
    width,
    sort: key,
    text: (row) => row[key] ?? undefined,
    cell: (row) => {
      const value = row[key];
      return value === null || value === "" ? <span class="muted">–</span> : <Text text={value} limit={SHOWN} />;
    },
  };
}

function count(counts: EventCounts | undefined, status: string): number | undefined {
  return counts === undefined ? undefined : (counts[status] ?? 0);
}

function Count({ count }: { readonly count: number | undefined }): JSX.Element {
  if (count === undefined) return <span class="table-waiting" />;
  return count === 0 ? <span class="muted">–</span> : <>{count.toLocaleString()}</>;
}
