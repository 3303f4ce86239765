import type { JSX } from "preact";
import { href, useEnvironment } from "../address/address.ts";
import { useHistogram, useQuery } from "../data/use-query.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Panel, Problem } from "../frame/panel.tsx";
import type { Tab } from "../frame/tabs.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { Change, hasChange } from "../report/change.tsx";
import { EventBars, EventStatus } from "../report/event-status.tsx";
import { friendly } from "#storage/display/friendly.ts";
import type { ReportEvent } from "../report/rows.ts";
import { formatTime, type TimeRange } from "../time/format.ts";
import { useTimeRange } from "../time/range.ts";
import { SharedTraits } from "../traits/traits-panel.tsx";
import { marked, Text } from "../value/value.tsx";
import { ResourceLink } from "../value/resource-link.tsx";

/** Events that are listed. */
const SHOWN = 20;

interface ResourceEvent extends ReportEvent {
  readonly certname: string;
  readonly report: string;
}

interface EventsProps {
  /** The condition that selects the events. */
  readonly where: string;
  /** Names the resource of each event: they are not all of the same one. */
  readonly namesResource: boolean;
}

/** What happened to a resource or a class, and what the nodes share that it happened on. @param where selects the events */
export function eventTabs(where: string, { namesResource = false } = {}): Tab[] {
  return [
    { key: "events", label: "Events", content: <Events where={where} namesResource={namesResource} /> },
    { key: "share", label: "What these nodes share", content: <Share where={where} /> },
  ];
}

/** The nodes with the events of the time range, against all others. */
function Share({ where }: { readonly where: string }): JSX.Element {
  return <SharedTraits selection={`certname in events[certname]{ ${useSelected(where).inRange} }`} />;
}

/** The events of the environment: all, and those of the time range, as conditions. */
function useSelected(where: string): { selected: string; inRange: string; range: TimeRange } {
  const environment = useEnvironment();
  const range = useTimeRange();
  const selected = and(where, inEnvironment("events", environment)) ?? where;
  const inRange = and(selected, `timestamp >= ${literal(range.from)}`, `timestamp <= ${literal(range.to)}`) ?? selected;
  return { selected, inRange, range };
}

/** Over time, and the last times in detail. */
function Events({ where, namesResource }: EventsProps): JSX.Element {
  const { selected, inRange, range } = useSelected(where);
  const histogram = useHistogram({
    name: "Events over time",
    range,
    entity: "events",
    where: selected,
    by: "status",
  });
  const events = useQuery<ResourceEvent>({
    name: "Latest events",
    pql: query("events", { where: inRange, orderBy: ["timestamp desc", "certname"], limit: SHOWN }),
    includeTotal: true,
  });
  const total = events.total ?? 0;
  return (
    <Panel
      title={events.value === undefined ? "Events" : `Events (${total.toLocaleString()})`}
      loaded={events}
      height={200}
      empty={events.value?.length === 0 ? <p class="muted">No event in the {range.label}.</p> : undefined}
      actions={
        total === 0 ? undefined : (
          <ExportMenu
            name="events"
            pql={query("events", { where: inRange, orderBy: ["timestamp desc", "certname"] })}
          />
        )
      }
    >
      <Problem loaded={histogram} />
      <EventBars histogram={histogram.value} range={range} />
      {total > SHOWN ? <h3>The latest {SHOWN}</h3> : null}
      <ul class="resource-events">
        {(events.value ?? []).map((event, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- events have no identity but their place
          <li key={index}>
            <span>
              <EventStatus status={event.status} isCorrective={event.corrective_change === true} />
            </span>
            <a href={href("report", [event.report])}>{formatTime(event.timestamp)}</a>
            <a class="wrap" href={href("node", [event.certname])}>
              <bdi>{marked(event.certname)}</bdi>
            </a>
            <span class="wrap">
              {namesResource ? (
                <>
                  <ResourceLink resource={{ type: event.resource_type, title: event.resource_title }} />{" "}
                </>
              ) : null}
              {event.property === null ? null : <bdi class="event-property">{marked(event.property)} </bdi>}
              {hasChange(event) ? <Change event={event} /> : null}
              {event.status === "failure" && event.message !== null ? (
                <span class="event-failure">
                  {" "}
                  <Text text={friendly(event.message, { certname: event.certname })} limit={400} />
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
