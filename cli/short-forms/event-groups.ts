import type { JsonObject } from "#storage/json.ts";
import { fold } from "#storage/issues/fold.ts";
import { cellText } from "#storage/output/cells.ts";
import { distinct, largestFirst, sumOf } from "./groups.ts";

/** What events can be grouped by. */
export const eventGroups = ["resource", "node", "class", "message"] as const;

export type EventGroup = (typeof eventGroups)[number];

interface Grouping {
  /** The fields that the query groups by. */
  readonly fields: readonly string[];
  /** The key of a row of the query. */
  readonly key: (row: JsonObject) => string;
  /** The columns of a group, before its count. */
  readonly columns: (rows: readonly JsonObject[], key: string) => JsonObject;
}

const resource = (row: JsonObject): string => `${cellText(row["resource_type"])}[${cellText(row["resource_title"])}]`;

const nodes = (rows: readonly JsonObject[]): number => distinct(rows, "certname").length;

const groupings: Readonly<Record<EventGroup, Grouping>> = {
  resource: {
    fields: ["resource_type", "resource_title", "certname"],
    key: resource,
    columns: (rows, key) => ({ resource: key, nodes: nodes(rows) }),
  },
  node: {
    fields: ["certname", "resource_type", "resource_title"],
    key: (row) => cellText(row["certname"]),
    columns: (rows, key) => ({ certname: key, resources: rows.length }),
  },
  class: {
    fields: ["containing_class", "certname"],
    key: (row) => cellText(row["containing_class"]),
    columns: (rows, key) => ({ class: key === "" ? null : key, nodes: nodes(rows) }),
  },
  message: {
    fields: ["message", "certname"],
    // Names, numbers and times differ from node to node in messages of the same kind.
    key: (row) => fold(cellText(row["message"]), cellText(row["certname"])),
    columns: (rows, key) => ({ message: key === "" ? null : key, nodes: nodes(rows) }),
  },
};

/** The fields that the query of events returns and groups by. */
export function groupFields(by: EventGroup): readonly string[] {
  return groupings[by].fields;
}

/** The groups of events, those of most nodes first. */
export function groupEvents(by: EventGroup, rows: readonly JsonObject[]): JsonObject[] {
  const { key, columns } = groupings[by];
  const groups = [...Map.groupBy(rows, key)].map(([name, group]): JsonObject => ({
    ...columns(group, name),
    count: sumOf(group),
  }));
  return largestFirst(groups, by === "node" ? "resources" : "nodes", "count");
}
