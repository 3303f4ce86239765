import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { go, useParameter } from "../address/address.ts";
import { sort as sortCodec } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { useFacets } from "../data/use-facets.ts";
import type { Filter } from "../facets/filters.ts";
import { useShownRows } from "../list/list-page.tsx";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { counted, valueText } from "../value/text.ts";
import { type EventGroup, type Grouping, groupKey } from "./groupings.ts";
import { eventsHref, groupColumns } from "./group-columns.tsx";
import { useOutcomes } from "./outcomes.ts";

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
  const hasDrift = about.value?.features.correctiveChanges ?? false;
  const options = { grouping, filters, hasDrift };
  const inMemory = useMemorySource(groups, {
    columns: groupColumns({ ...options, outcomes: () => undefined }),
    sort,
    loaded,
  });
  const { source, shown } = useShownRows(inMemory);
  const outcomes = useOutcomes(shown, grouping, where);
  return (
    <>
      <p class="muted events-count" role="status">
        {facet === undefined ? "" : countText(grouping, facet, groups.length)}
      </p>
      <DataTable
        name="Groups of events"
        columns={groupColumns({ ...options, outcomes })}
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
