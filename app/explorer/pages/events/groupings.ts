import { type Filter, type FilterValue, writeFilter } from "../facets/filters.ts";

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
