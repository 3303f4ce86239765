import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, href, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import type { Filter } from "../facets/filters.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { counted, valueText } from "../value/text.ts";
import { type EventGroup, groupFilters, type Grouping, groupKey, groupText, UNGROUPED } from "./groupings.ts";
import { useFacets, useQuery } from "../data/use-query.ts";
import type { Json } from "#storage/json.ts";
import { and, literal, query } from "../pql/text.ts";
import { countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";

interface GroupColumnsOptions {
  readonly grouping: Grouping;
  readonly filters: readonly Filter[];
  /** Whether corrective changes are stored. */
  readonly hasCorrective: boolean;
}

/** The columns of groups of events. */
function groupColumns({ grouping, filters, hasCorrective }: GroupColumnsOptions): readonly Column<GroupRow>[] {
  const outcome = (key: keyof Outcomes, title: string, meaning: string): Column<GroupRow> =>
    countColumn(key, title, ({ outcomes }) => outcomes?.[key], { meaning, width: 76, isFailure: key === "failed" });
  return [
    textColumn("group", grouping.label, groupText, {
      width: 180,
      grows: true,
      hrefOf: (group) => eventsHref(grouping, group, filters),
    }),
    ...(grouping.fields[0] === "certname" ? [] : [countColumn<GroupRow>("nodes", "Nodes", ({ nodes }) => nodes)]),
    countColumn("events", "Events", ({ events }) => events),
    outcome("failed", "Failed", "Failed events"),
    outcome("intended", hasCorrective ? "Intended" : "Changed", "Changes that Puppet was meant to make"),
    ...(hasCorrective
      ? [outcome("corrective", "Corrective", "Changes that undid something done outside of Puppet")]
      : []),
    outcome("pending", "Pending", "Changes that the run only simulated"),
    outcome("skipped", "Skipped", "Skipped resources"),
  ];
}

/** The events of a group, one a row. */
function eventsHref(grouping: Grouping, { values }: EventGroup, filters: readonly Filter[]): string {
  const { searchParams } = new URL(location.href);
  return href("events", [], {
    by: UNGROUPED,
    q: searchParams.get("q") ?? undefined,
    f: groupFilters(grouping, values, filters),
  });
}

/** How often each outcome occurs among some events. */
export interface Outcomes {
  readonly failed: number;
  /** Changes that Puppet was meant to make. */
  readonly intended: number;
  /** Changes that undid something done outside of Puppet. */
  readonly corrective: number;
  readonly pending: number;
  readonly skipped: number;
}

/** Events of a group with the same outcome; the fields of the group are beside these. */
interface OutcomeRow {
  readonly status: string;
  readonly corrective_change: boolean | null;
  readonly count: number;
  readonly [field: string]: Json;
}

const none: Outcomes = { failed: 0, intended: 0, corrective: 0, pending: 0, skipped: 0 };

const byStatus: Readonly<Record<string, keyof Outcomes>> = {
  failure: "failed",
  success: "intended",
  noop: "pending",
  skipped: "skipped",
};

/** The outcomes of each group, by {@link groupKey}. */
function outcomesByGroup(rows: readonly OutcomeRow[], fields: readonly string[]): ReadonlyMap<string, Outcomes> {
  const found = new Map<string, Outcomes>();
  for (const row of rows) {
    const outcome = row.status === "success" && row.corrective_change === true ? "corrective" : byStatus[row.status];
    if (outcome === undefined) continue;
    const key = groupKey(fields.map((field) => row[field] ?? null));
    const counts = found.get(key) ?? none;
    found.set(key, { ...counts, [outcome]: counts[outcome] + row.count });
  }
  return found;
}

/** A group with its outcomes, undefined while they are on their way. */
interface GroupRow extends EventGroup {
  readonly outcomes: Outcomes | undefined;
}

/** Counts the outcomes of some groups. */
function useOutcomes(
  groups: readonly EventGroup[],
  { fields }: Grouping,
  where: string | undefined,
): readonly GroupRow[] {
  const columns = [...fields, "status", "corrective_change"];
  const named = fields.map(
    (field, at) => `${field} in [${[...new Set(groups.map(({ values }) => literal(values[at] ?? "")))].join(", ")}]`,
  );
  const counted = { select: [...columns, "count()"], groupBy: columns };
  const loaded = useQuery<OutcomeRow>(
    groups.length === 0
      ? undefined
      : {
          name: "Outcomes of the groups",
          pql: query("events", { ...counted, where: and(where, ...named) }),
        },
  );
  return useMemo(() => {
    const found = outcomesByGroup(loaded.value ?? [], fields);
    const otherwise = loaded.value === undefined && loaded.isLoading ? undefined : none;
    return groups.map((group) => ({ ...group, outcomes: found.get(group.key) ?? otherwise }));
  }, [groups, loaded.value, loaded.isLoading, fields]);
}

export interface GroupTableProps {
  readonly grouping: Grouping;
  /** Which events. */
  readonly where: string | undefined;
  readonly filters: readonly Filter[];
  /** "last 24 hours" */
  readonly span: string;
}

/** Groups that are fetched at most. */
const MOST = 1000;

const codecs = {
  byNodes: sortCodec({ field: "nodes", descending: true }),
  byEvents: sortCodec({ field: "events", descending: true }),
} as const;

/** Events that have something in common, one group a row: those on the most nodes first. */
export function GroupTable({ grouping, where, filters, span }: GroupTableProps): JSX.Element {
  const isByNode = grouping.fields.includes("certname");
  const [sort, setSort] = useParameter("sort", isByNode ? codecs.byEvents : codecs.byNodes);
  const loaded = useFacets({
    name: `Events by ${grouping.label.toLowerCase()}`,
    entity: "events",
    where,
    facets: [grouping.fields],
    distinct: "certname",
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const groups = useMemo(
    () =>
      (facet?.values ?? []).map(({ value, count, distinct }): EventGroup => {
        const values = (Array.isArray(value) ? value : [value]).map(valueText);
        return { key: groupKey(values), values, events: count, nodes: distinct ?? 0 };
      }),
    [facet],
  );
  const hasCorrective = about.value?.features.correctiveChanges ?? false;
  const columns = groupColumns({ grouping, filters, hasCorrective });
  const source = useMemorySource(useOutcomes(groups, grouping, where), { columns, sort, loaded });
  return (
    <>
      <p class="muted events-count" role="status">
        {facet === undefined ? "" : countText(grouping, facet, groups.length)}
      </p>
      <DataTable
        name="Groups of events"
        columns={columns}
        source={source}
        sort={sort}
        onSort={setSort}
        onOpen={(group) => go(eventsHref(grouping, group, filters))}
        empty={<p>No event matches in the {span}. Choose a longer time range, or remove a filter.</p>}
      />
    </>
  );
}

function countText(
  { label, plural }: Grouping,
  { distinct, missing }: { readonly distinct: number; readonly missing: number },
  listed: number,
): string {
  const noun = distinct === 1 ? label.toLowerCase() : plural;
  const cut = listed < distinct ? `; the ${listed.toLocaleString()} with the most events are listed` : "";
  const without = missing === 0 ? "" : `; ${counted(missing, "event has", "events have")} no ${label.toLowerCase()}`;
  return `${distinct.toLocaleString()} ${noun}${cut}${without}`;
}
