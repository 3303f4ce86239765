import type { Sort } from "../address/codecs.ts";
import type { RowsQuery } from "../table/query-source.ts";

/** Fields of `events` that the table shows. Times are ISO texts. */
export interface EventRow {
  readonly certname: string;
  readonly report: string;
  readonly status: string;
  readonly timestamp: string;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containing_class: string | null;
  readonly corrective_change: boolean | null;
}

const fields = [
  "certname",
  "report",
  "status",
  "timestamp",
  "resource_type",
  "resource_title",
  "property",
  "message",
  "file",
  "line",
  "containing_class",
  "corrective_change",
] as const satisfies readonly (keyof EventRow)[];

/** A report has one event for a property of a resource, so that these make an order unique. */
const identity = ["certname", "report", "resource_type", "resource_title", "property"];

/** The rows of the table as a query, in their order. */
export function eventRows(where: string | undefined, sort: Sort): RowsQuery {
  const direction = sort.descending ? " desc" : "";
  return {
    name: "Events",
    entity: "events",
    select: fields,
    where,
    orderBy: [`${sort.field}${direction}`, ...identity.filter((field) => field !== sort.field)],
  };
}
