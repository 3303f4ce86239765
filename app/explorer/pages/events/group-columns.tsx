import { href } from "../address/address.ts";
import type { Filter } from "../facets/filters.ts";
import { CellLink, CountCell } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { Text } from "../value/value.tsx";
import { type EventGroup, groupFilters, type Grouping, groupText, UNGROUPED } from "./groupings.ts";
import type { Outcomes } from "./outcomes.ts";

/** Characters of a name in a cell. */
const SHOWN = 300;

export interface GroupColumnsOptions {
  readonly grouping: Grouping;
  readonly filters: readonly Filter[];
  readonly outcomes: (group: EventGroup) => Outcomes | undefined;
  /** Whether corrective changes are stored. */
  readonly hasDrift: boolean;
}

/** The columns of groups of events. */
export function groupColumns({
  grouping,
  filters,
  outcomes,
  hasDrift,
}: GroupColumnsOptions): readonly Column<EventGroup>[] {
  const count = (key: "nodes" | "events", title: string): Column<EventGroup> => ({
    key,
    title,
    width: 92,
    align: "end",
    sort: key,
    value: (group) => group[key],
    cell: (group) => group[key].toLocaleString(),
  });
  const outcome = (key: keyof Outcomes, title: string, meaning: string): Column<EventGroup> => ({
    key,
    title,
    meaning,
    width: 88,
    align: "end",
    cell: (group) => <CountCell count={outcomes(group)?.[key]} isFailure={key === "failed"} />,
  });
  return [
    {
      key: "group",
      title: grouping.label,
      width: 280,
      grows: true,
      sort: "group",
      value: groupText,
      text: groupText,
      cell: (group) => (
        <CellLink href={eventsHref(grouping, group, filters)}>
          <Text text={groupText(group)} limit={SHOWN} />
        </CellLink>
      ),
    },
    ...(grouping.fields[0] === "certname" ? [] : [count("nodes", "Nodes")]),
    count("events", "Events"),
    outcome("failed", "Failed", "Failed events"),
    outcome("intended", hasDrift ? "Intended" : "Changed", "Changes that Puppet was meant to make"),
    ...(hasDrift ? [outcome("drift", "Drift", "Changes that undid something done outside of Puppet")] : []),
    outcome("pending", "Pending", "Changes that the run only simulated"),
    outcome("skipped", "Skipped", "Skipped resources"),
  ];
}

/** The events of a group, one a row. */
export function eventsHref(grouping: Grouping, { values }: EventGroup, filters: readonly Filter[]): string {
  const { searchParams } = new URL(location.href);
  return href("events", [], {
    by: UNGROUPED,
    q: searchParams.get("q") ?? undefined,
    f: groupFilters(grouping, values, filters),
  });
}
