import { href } from "../address/address.ts";
import { catalogLabel } from "../report/rows.ts";
import { outcomeOf } from "#storage/states/node-state.ts";
import { StateMark } from "../state/state-mark.tsx";
import { CellLink, certnameColumn, CountCell } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { durationOf, formatDuration, formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import type { ReportsRow } from "./rows.ts";

/** Longer texts are cut in cells. Characters. */
const SHOWN = 200;

/** What the columns begin with that count events. */
export const EVENTS = "events.";

const events = (status: string, title: string, meaning: string): Column<ReportsRow> => ({
  key: `${EVENTS}${status}`,
  title,
  meaning,
  width: 76,
  align: "end",
  sort: `${EVENTS}${status}`,
  cell: (row) => <CountCell count={row[`${EVENTS}${status}`]} isFailure={status === "failure"} />,
});

/** The columns of the list of reports, in their order. */
export const reportColumns: readonly Column<ReportsRow>[] = [
  {
    key: "end_time",
    title: "End",
    meaning: "When the run ended",
    width: 144,
    sort: "end_time",
    fixed: true,
    cell: (row) => <CellLink href={href("report", [row.hash])}>{formatTime(row.end_time)}</CellLink>,
  },
  {
    key: "status",
    title: "State",
    width: 134,
    sort: "status",
    cell: (row) => <StateMark state={outcomeOf(row)} />,
  },
  certnameColumn(),
  text("environment", "Environment", 112),
  {
    key: "duration",
    title: "Duration",
    width: 92,
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
