import type { JSX } from "preact";
import { friendly } from "#storage/display/friendly.ts";
import { go, href } from "../address/address.ts";
import type { Sort } from "../address/codecs.ts";
import { EventStatus } from "../report/event-status.tsx";
import { CellLink, certnameColumn, placeColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useQuerySource } from "../table/query-source.ts";
import { formatTime } from "../time/format.ts";
import { Text } from "../value/value.tsx";
import { type EventRow, eventRows } from "./groupings.ts";
import { counted } from "../value/text.ts";
import { ResourceLink } from "../value/resource-link.tsx";

/** Characters of a text in a cell. */
const SHOWN = 200;

const columns: readonly Column<EventRow>[] = [
  {
    key: "timestamp",
    title: "Time",
    width: 152,
    sort: "timestamp",
    cell: (row) => <CellLink href={href("report", [row.report])}>{formatTime(row.timestamp)}</CellLink>,
  },
  {
    key: "status",
    title: "Status",
    width: 116,
    sort: "status",
    cell: (row) => <EventStatus status={row.status} isCorrective={row.corrective_change === true} />,
  },
  certnameColumn(),
  {
    key: "resource_title",
    title: "Resource",
    width: 150,
    grows: true,
    sort: "resource_title",
    text: (row) => `${row.resource_type}[${row.resource_title}]`,
    cell: (row) => <ResourceLink resource={{ type: row.resource_type, title: row.resource_title }} />,
  },
  {
    key: "message",
    title: "What happened",
    width: 160,
    grows: true,
    sort: "message",
    text: (row) => row.message ?? undefined,
    cell: (row) => <WhatHappened row={row} />,
  },
  textColumn("containing_class", "Class", (row) => row.containing_class, {
    width: 96,
    fits: 180,
    hrefOf: ({ containing_class: name }) => href("classes", [], { class: name ?? "" }),
  }),
  placeColumn(),
];

function WhatHappened({ row: { property, message, certname } }: { readonly row: EventRow }): JSX.Element {
  if (message === null) return <Text text={property ?? "–"} limit={SHOWN} />;
  return <Text text={friendly(message, { certname })} limit={SHOWN} />;
}

export interface EventTableProps {
  /** Which events. */
  readonly where: string | undefined;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** "last 24 hours" */
  readonly span: string;
}

/** Events, one a row: the latest first. */
export function EventTable({ where, sort, onSort, span }: EventTableProps): JSX.Element {
  const source = useQuerySource<EventRow>(eventRows(where, sort));
  return (
    <>
      <p class="muted events-count" role="status">
        {source.count === undefined ? "" : counted(source.count, "event")}
      </p>
      <DataTable
        name="Events"
        columns={columns}
        source={source}
        sort={sort}
        onSort={onSort}
        onOpen={(row) => go(href("report", [row.report]))}
        empty={<p>No event matches in the {span}. Choose a longer time range, or remove a filter.</p>}
      />
    </>
  );
}
