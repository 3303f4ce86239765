import type { JSX } from "preact";
import { href, useEnvironment } from "../address/address.ts";
import { useHistogram } from "../data/use-histogram.ts";
import { useQuery } from "../data/use-query.ts";
import { EventBars } from "../events/event-bars.tsx";
import { ExportMenu } from "../export/menu.tsx";
import { Panel, Problem } from "../frame/panel.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { Change, hasChange } from "../report/change.tsx";
import { EventStatus } from "../report/event-status.tsx";
import { friendly } from "#storage/display/friendly.ts";
import type { ReportEvent } from "../report/rows.ts";
import { formatTime } from "../time/format.ts";
import { useTimeRange } from "../time/range.ts";
import { SharedTraits } from "../traits/shared-traits.tsx";
import { ResourceLink } from "../value/resource-link.tsx";
import { marked, Text } from "../value/value.tsx";

/** Events that are listed. */
const SHOWN = 20;

interface ResourceEvent extends ReportEvent {
  readonly certname: string;
  readonly report: string;
}

export interface ResourceEventsProps {
  /** The condition that selects the events. */
  readonly where: string;
  /** Names the resource of each event: they are not all of the same one. */
  readonly namesResource?: boolean;
}

/** What happened to a resource or a class, over time and the last times in detail. */
export function ResourceEvents({ where, namesResource = false }: ResourceEventsProps): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const selected = and(where, inEnvironment("events", environment));
  const inRange = and(selected, `timestamp >= ${literal(range.from)}`, `timestamp <= ${literal(range.to)}`);
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
    <>
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
      {total === 0 ? null : <SharedTraits selection={`certname in events[certname]{ ${inRange} }`} />}
    </>
  );
}
