import { href } from "../address/address.ts";
import { catalogLabel } from "../report/rows.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { StateMark } from "../state/state-mark.tsx";
import { CellLink, certnameColumn, CountCell } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { durationOf, formatDuration, formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import type { EventCounts, ReportsRow } from "./rows.ts";

/** Longer texts are cut in cells. Characters. */
const SHOWN = 200;

const EVENTS = "events.";

/** Whether the table shows counts of events. */
export function hasEventColumns(keys: readonly string[]): boolean {
  return keys.some((key) => key.startsWith(EVENTS));
}

/** The columns of the list of reports, in their order. @param counts of a report's events, when they are known */
export function reportColumns(counts: (hash: string) => EventCounts | undefined): readonly Column<ReportsRow>[] {
  const events = (status: string, title: string, meaning: string): Column<ReportsRow> => ({
    key: `${EVENTS}${status}`,
    title,
    meaning,
    width: 84,
    align: "end",
    cell: (row) => <CountCell count={count(counts(row.hash), status)} isFailure={status === "failure"} />,
  });
  return [
    {
      key: "end_time",
      title: "End",
      meaning: "When the run ended",
      width: 160,
      sort: "end_time",
      fixed: true,
      cell: (row) => <CellLink href={href("report", [row.hash])}>{formatTime(row.end_time)}</CellLink>,
    },
    {
      key: "status",
      title: "State",
      width: 128,
      sort: "status",
      cell: (row) => <StateMark state={outcomeOf(row)} />,
    },
    certnameColumn(),
    text("environment", "Environment", 124),
    {
      key: "duration",
      title: "Duration",
      width: 104,
      align: "end",
      sort: "duration",
      cell: (row) => {
        const seconds = durationOf(row);
        return seconds === undefined ? "–" : formatDuration(seconds);
      },
    },
    events("failure", "Failed", "Failed events"),
    events("success", "Changed", "Changes"),
    events("skipped", "Skipped", "Skipped resources"),
    events("noop", "Pending", "Changes that the run only simulated"),
    text("configuration_version", "Configuration version", 180),
    text("puppet_version", "Agent", 84),
    text("producer", "Producer", 200),
    {
      key: "noop",
      title: "Noop",
      meaning: "Whether the run only simulated its changes",
      width: 80,
      sort: "noop",
      cell: ({ noop }) => (noop === true ? "noop" : <span class="muted">–</span>),
    },
    {
      key: "cached_catalog_status",
      title: "Catalog",
      meaning: "Which catalog the run applied",
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
