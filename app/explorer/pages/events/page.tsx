import type { JSX } from "preact";
import { changeParameters, useEnvironment, useParameter } from "../address/address.ts";
import { oneOf, sort as sortCodec } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { ExportMenu } from "../export/menu.tsx";
import {
  type Facet,
  type Filter,
  filterCondition,
  filtersCodec,
  type FilterValue,
  sameValue,
} from "../facets/filters.ts";
import { FacetSidebar, FilterChips } from "../facets/sidebar.tsx";
import { EventTable } from "./event-table.tsx";
import { Panel } from "../frame/panel.tsx";
import { ListPage, useNeedle } from "../list/list-page.tsx";
import { and, contains, inEnvironment, literal, query } from "../pql/text.ts";
import { silence } from "../state/states.ts";
import { useTimeRange } from "../time/range.ts";
import { eventRows, groupingKeys, groupings, UNGROUPED } from "./groupings.ts";
import { GroupTable } from "./group-table.tsx";
import { EventBars, EventStatus } from "../report/event-status.tsx";
import { useHistogram } from "../data/use-query.ts";

interface Kind {
  readonly label: string;
  readonly filters: Readonly<Record<string, FilterValue>>;
}

/** Fields that decide the kind of an event. */
const decisive = ["status", "corrective_change"];

const all: Kind = { label: "All", filters: {} };
const failures: Kind = { label: "Failures", filters: { status: "failure" } };
const changes: Kind = { label: "Changes", filters: { status: "success" } };
const intended: Kind = { label: "Intended", filters: { status: "success", corrective_change: false } };
const corrective: Kind = { label: "Corrective", filters: { status: "success", corrective_change: true } };

interface KindsProps {
  readonly filters: readonly Filter[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  /** Whether corrective changes are stored. */
  readonly hasCorrective: boolean;
}

/** Filters by kind: changes that were intended apart from those that undid something done outside of Puppet. */
function Kinds({ filters, onFilters, hasCorrective }: KindsProps): JSX.Element {
  const kinds = hasCorrective ? [all, failures, intended, corrective] : [all, failures, changes];
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">Kind of event</legend>
      {kinds.map((kind) => (
        <button
          key={kind.label}
          type="button"
          aria-pressed={isChosen(kind, filters)}
          onClick={() => onFilters([...others(filters), ...filtersOf(kind)])}
        >
          {kind.label}
        </button>
      ))}
    </fieldset>
  );
}

function filtersOf({ filters }: Kind): Filter[] {
  return Object.entries(filters).map(([field, value]) => ({ field, value, excludes: false }));
}

function others(filters: readonly Filter[]): Filter[] {
  return filters.filter(({ field }) => !decisive.includes(field));
}

function isChosen(kind: Kind, filters: readonly Filter[]): boolean {
  const own = filters.filter(({ field }) => decisive.includes(field));
  const wanted = filtersOf(kind);
  return (
    own.length === wanted.length &&
    wanted.every((one) =>
      own.some(({ field, value, excludes }) => field === one.field && !excludes && sameValue(value, one.value)),
    )
  );
}

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
  const hasCorrective = about.value?.features.correctiveChanges ?? false;
  const facets = eventFacets(hasCorrective);
  const always = and(inEnvironment("events", environment), contains(needle, "certname", "resource_title", "message"));
  const ofPage = and(`timestamp >= ${literal(range.from)}`, `timestamp <= ${literal(range.to)}`, always);
  const chosen = filterCondition(filters, { entity: "events", silence: silence.value });
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
          <Kinds filters={filters} onFilters={setFilters} hasCorrective={hasCorrective} />
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

/** The facets of events. @param hasCorrective whether corrective changes are stored */
function eventFacets(hasCorrective: boolean): readonly Facet[] {
  return [
    {
      field: "status",
      label: "Status",
      order: ["failure", "success", "noop", "skipped", "audit"],
      show: (value) => (typeof value === "string" ? <EventStatus status={value} isCorrective={false} /> : undefined),
    },
    ...(hasCorrective
      ? [
          {
            field: "corrective_change",
            label: "Kind of change",
            order: [true, false],
            show: (value) => (value === true ? "corrective" : value === false ? "intended" : undefined),
          } satisfies Facet,
        ]
      : []),
    { field: "environment", label: "Environment" },
    { field: "resource_type", label: "Type" },
    { field: "containing_class", label: "Class" },
  ];
}
