import { type Filter, type FilterValue, writeFilter } from "../facets/filters.ts";
import type { Json } from "#storage/json.ts";
import type { Sort } from "../address/codecs.ts";
import type { RowsQuery } from "../table/query-source.ts";

/** Something that events have in common. */
export interface Grouping {
  /** "Resource" */
  readonly label: string;
  /** "resources" */
  readonly plural: string;
  /** The fields of `events` that are equal in a group. */
  readonly fields: readonly string[];
}

/** What events can be grouped by, by the name in the address. */
export const groupings = {
  resource: { label: "Resource", plural: "resources", fields: ["resource_type", "resource_title"] },
  class: { label: "Class", plural: "classes", fields: ["containing_class"] },
  type: { label: "Type", plural: "types", fields: ["resource_type"] },
  node: { label: "Node", plural: "nodes", fields: ["certname"] },
  message: { label: "Message", plural: "messages", fields: ["message"] },
  file: { label: "File", plural: "files", fields: ["file"] },
} as const satisfies Readonly<Record<string, Grouping>>;

export type GroupingKey = keyof typeof groupings;

/** Events themselves, not grouped. */
export const UNGROUPED = "event";

/** Values of the parameter `by`. */
export const groupingKeys = [...(Object.keys(groupings) as GroupingKey[]), UNGROUPED] as const;

/** The filters of the events of one group, with those that are set for other fields. */
export function groupFilters(
  { fields }: Grouping,
  values: readonly FilterValue[],
  filters: readonly Filter[],
): readonly string[] {
  const others = filters.filter(({ field }) => !fields.includes(field));
  const own = fields.map((field, at) => ({ field, value: values[at] ?? null, excludes: false }));
  return [...others, ...own].map(writeFilter);
}

/** Events that have something in common. */
export interface EventGroup {
  readonly key: string;
  /** Of the fields that they are grouped by. */
  readonly values: readonly string[];
  readonly events: number;
  readonly nodes: number;
}

/** Identifies a group by the values of its fields. */
export function groupKey(values: readonly Json[]): string {
  return JSON.stringify(values);
}

/** The text of a group: `File[/etc/motd]`, or its only value. */
export function groupText({ values: [first = "", second] }: EventGroup): string {
  return second === undefined ? first : `${first}[${second}]`;
}

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
