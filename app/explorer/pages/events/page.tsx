import type { JSX } from "preact";
import { changeParameters, useEnvironment, useParameter } from "../address/address.ts";
import { oneOf, sort as sortCodec } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { useHistogram } from "../data/use-histogram.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { type Facet, filterCondition, filtersCodec } from "../facets/filters.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { EventTable } from "./event-table.tsx";
import { Panel } from "../frame/panel.tsx";
import { ListPage, useNeedle } from "../list/list-page.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { silentSince } from "../state/states.ts";
import { useTimeRange } from "../time/range.ts";
import { EventBars } from "./event-bars.tsx";
import { eventRows, groupingKeys, groupings, UNGROUPED } from "./groupings.ts";
import { GroupTable } from "./group-table.tsx";
import { Kinds } from "./kinds.tsx";
import { EventStatus } from "../report/event-status.tsx";

/** The first view lists groups. */
const byCodec = oneOf(groupingKeys, "resource");
const orderCodec = sortCodec({ field: "timestamp", descending: true });

/** What changed where? Events of the time range, grouped by what they have in common. */
export default function EventsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle] = useNeedle();
  const [by] = useParameter("by", byCodec);
  const [sort, setSort] = useParameter("sort", orderCodec);
  const hasDrift = about.value?.features.correctiveChanges ?? false;
  const facets = eventFacets(hasDrift);
  const always = and(inEnvironment("events", environment), contains(needle, "certname", "resource_title", "message"));
  const ofPage = and(`timestamp >= ${literal(range.from)}`, `timestamp <= ${literal(range.to)}`, always);
  const chosen = filterCondition(filters, { entity: "events", silentSince: silentSince.value });
  const where = and(ofPage, chosen);
  const histogram = useHistogram({
    name: "Events over time",
    range,
    entity: "events",
    where: and(always, chosen),
    by: "status",
  });
  return (
    <ListPage
      title="Events"
      count={range.label}
      search="Node, title or message"
      facets={
        <FacetSidebar
          name="Events"
          entity="events"
          where={ofPage}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
        />
      }
      above={
        <Panel title="Events over time" loaded={histogram} height={140}>
          <EventBars histogram={histogram.value} range={range} />
        </Panel>
      }
      choices={
        <>
          <label class="events-by">
            Group by{" "}
            <select
              value={by}
              // The order of other groups is that of a column that these may not have.
              onChange={(event) => changeParameters({ by: [event.currentTarget.value], sort: undefined })}
            >
              {Object.entries(groupings).map(([key, { label }]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
              <option value={UNGROUPED}>None: list the events</option>
            </select>
          </label>
          <Kinds filters={filters} onFilters={setFilters} hasDrift={hasDrift} />
        </>
      }
      filters={<FilterChips filters={filters} facets={facets} onFilters={setFilters} />}
      actions={
        <ExportMenu
          name="events"
          pql={query("events", eventRows(where, by === UNGROUPED ? sort : orderCodec.fallback))}
        />
      }
    >
      {by === UNGROUPED ? (
        <EventTable where={where} sort={sort} onSort={setSort} span={range.label} />
      ) : (
        <GroupTable key={by} grouping={groupings[by]} where={where} filters={filters} span={range.label} />
      )}
    </ListPage>
  );
}

/** The facets of events. @param hasDrift whether corrective changes are stored */
function eventFacets(hasDrift: boolean): readonly Facet[] {
  return [
    {
      field: "status",
      label: "Status",
      order: ["failure", "success", "noop", "skipped", "audit"],
      show: (value) => (typeof value === "string" ? <EventStatus status={value} isCorrective={false} /> : undefined),
    },
    ...(hasDrift
      ? [
          {
            field: "corrective_change",
            label: "Kind of change",
            order: [true, false],
            show: (value) => (value === true ? "drift" : value === false ? "intended" : undefined),
          } satisfies Facet,
        ]
      : []),
    { field: "environment", label: "Environment" },
    { field: "resource_type", label: "Type" },
    { field: "containing_class", label: "Class" },
  ];
}
