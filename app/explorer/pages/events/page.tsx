import type { JSX } from "preact";
import { changeParameters, useParameter } from "../address/address.ts";
import { oneOf, sort as sortCodec, text } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { about } from "../data/about.ts";
import { useHistogram } from "../data/use-histogram.ts";
import { ExportMenu } from "../export/menu.tsx";
import { FilterChips } from "../facets/chips.tsx";
import { filterCondition } from "../facets/conditions.ts";
import { filtersCodec } from "../facets/filters.ts";
import { FacetSidebar } from "../facets/sidebar.tsx";
import { EventTable } from "./event-table.tsx";
import { Page } from "../frame/page.tsx";
import { Panel } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import { inEnvironment } from "../pql/environment.ts";
import { and, contains, literal, query } from "../pql/text.ts";
import { silentSince } from "../state/silent-since.ts";
import { useTimeRange } from "../time/range.ts";
import { EventBars } from "./event-bars.tsx";
import { eventRows } from "./event-rows.ts";
import { eventFacets } from "./facets.tsx";
import { GroupTable } from "./group-table.tsx";
import { groupingKeys, groupings, UNGROUPED } from "./groupings.ts";
import { Kinds } from "./kinds.tsx";

/** The first view lists groups. */
const textCodec = text();
const byCodec = oneOf(groupingKeys, "resource");
const orderCodec = sortCodec({ field: "timestamp", descending: true });

/** What changed where? Events of the time range, grouped by what they have in common. */
export default function EventsPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [filters, setFilters] = useParameter("f", filtersCodec);
  const [needle, setNeedle] = useParameter("q", textCodec);
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
    <Page
      title="Events"
      beside={<span class="muted">{range.label}</span>}
      actions={
        <ExportMenu
          name="events"
          pql={query("events", eventRows(where, by === UNGROUPED ? sort : orderCodec.fallback))}
        />
      }
    >
      <div class="with-facets">
        <FacetSidebar
          name="Events"
          entity="events"
          where={ofPage}
          facets={facets}
          filters={filters}
          onFilters={setFilters}
        />
        <div class="events-main">
          <Panel title="Events over time" loaded={histogram} height={140}>
            <EventBars histogram={histogram.value} range={range} />
          </Panel>
          <div class="list-filters">
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
            <SearchField
              label="Node, title or message"
              value={needle}
              onChange={(value) => setNeedle(value, { push: false })}
              isFilter
            />
            <FilterChips filters={filters} facets={facets} onFilters={setFilters} />
          </div>
          {by === UNGROUPED ? (
            <EventTable where={where} sort={sort} onSort={setSort} span={range.label} />
          ) : (
            <GroupTable key={by} grouping={groupings[by]} where={where} filters={filters} span={range.label} />
          )}
        </div>
      </div>
    </Page>
  );
}
