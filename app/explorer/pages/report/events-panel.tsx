import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { href, useText } from "../address/address.ts";
import type { Loaded } from "../data/use-data.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Panel } from "../frame/panel.tsx";
import { Choice, countValues } from "../list/search-field.tsx";
import { useGrowing } from "../list/growing.tsx";
import { and, literal, query } from "../pql/text.ts";
import { beginning, refText } from "../value/text.ts";
import { EventStatus, rankOfStatus } from "./event-status.tsx";
import type { ReportEvent } from "./rows.ts";
import { marked, Text } from "../value/value.tsx";
import { Change, hasChange } from "./change.tsx";
import { friendly } from "#storage/display/friendly.ts";
import { Place, ResourceLink } from "../value/resource-link.tsx";

interface EventItemProps {
  readonly id: string;
  readonly event: ReportEvent;
  readonly certname: string;
  /** Shows the resource's lines of the log. */
  readonly onLog: (() => void) | undefined;
}

/** What happened to one property of a resource. */
function EventItem({ id, event, certname, onLog }: EventItemProps): JSX.Element {
  const { status, property, message, containing_class: className } = event;
  return (
    <li id={id} class="event" tabIndex={-1}>
      <span class="event-status">
        <EventStatus status={status} isCorrective={event.corrective_change === true} />
      </span>
      <span class="event-subject">
        <ResourceLink resource={{ type: event.resource_type, title: event.resource_title }} />
        {property === null ? null : <bdi class="event-property"> {marked(beginning(property, 200))}</bdi>}
        {onLog === undefined ? null : (
          <button type="button" class="plain event-log" title="Show its lines of the log" onClick={onLog}>
            log
          </button>
        )}
      </span>
      <span class="event-change">
        {hasChange(event) ? <Change event={event} /> : null}
        {message !== null && saysMore(event, message) ? (
          <span class={status === "failure" ? "event-failure" : "muted"}>
            {" "}
            <Text text={friendly(message, { certname })} isMultiline />
          </span>
        ) : null}
      </span>
      <span class="event-place">
        {className === null ? null : (
          <a href={href("classes", [], { class: className })} class="wrap">
            <bdi>{marked(className)}</bdi>
          </a>
        )}
        <Place file={event.file} line={event.line} />
      </span>
    </li>
  );
}

/** Most messages only repeat the old and the new value. */
function saysMore(event: ReportEvent, message: string): boolean {
  return event.status === "failure" || !hasChange(event) || !/\bchanged\b[\s\S]*\bto\b|^defined\b/.test(message);
}

export interface EventsPanelProps {
  readonly hash: string;
  readonly certname: string;
  readonly loaded: Loaded<readonly ReportEvent[]>;
  /** Resources (`refText`) that have lines in the log. */
  readonly sources: ReadonlySet<string>;
  /** A resource whose event is to be shown. */
  readonly sought: string | undefined;
  readonly onFound: () => void;
  readonly onLog: (ref: string) => void;
}

/** What the run did, resource by resource: failures first. */
export function EventsPanel(props: EventsPanelProps): JSX.Element {
  const { loaded, sought, onFound } = props;
  const [status, setStatus] = useText("status");
  const [type, setType] = useText("type");
  const [className, setClassName] = useText("class");
  const events = loaded.value ?? [];
  const shown = useMemo(
    () =>
      events
        .filter((event) => status === "" || event.status === status)
        .filter((event) => type === "" || event.resource_type === type)
        .filter((event) => className === "" || event.containing_class === className)
        .sort((one, other) => rankOfStatus(one.status) - rankOfStatus(other.status)),
    [loaded.value, status, type, className],
  );
  const counts = useMemo(
    () => ({
      statuses: countValues(events.map((event) => event.status)),
      types: countValues(events.map((event) => event.resource_type)),
      classes: countValues(events.flatMap((event) => event.containing_class ?? [])),
    }),
    [loaded.value],
  );
  const growing = useGrowing(shown, { step: 50, noun: "events" });
  const found = sought === undefined ? -1 : shown.findIndex((event) => refOf(event) === sought);
  useEffect(() => {
    if (found < 0) return;
    growing.reach(found);
    const element = document.getElementById(`event-${found}`);
    if (element === null) return;
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
    onFound();
  }, [found, growing.shown.length]);
  const exported = and(
    `report = ${literal(props.hash)}`,
    status === "" ? undefined : `status = ${literal(status)}`,
    type === "" ? undefined : `resource_type = ${literal(type)}`,
    className === "" ? undefined : `containing_class = ${literal(className)}`,
  );
  const total = loaded.total ?? events.length;
  return (
    <Panel
      title={loaded.value === undefined ? "Events" : `Events (${total.toLocaleString()})`}
      loaded={loaded}
      empty={events.length === 0 ? <p class="muted">No resource was changed, and none failed.</p> : undefined}
      actions={
        events.length === 0 ? undefined : (
          <>
            <Choice label="Status" all="all statuses" chosen={status} counts={counts.statuses} onChange={setStatus} />
            <Choice label="Type" all="all types" chosen={type} counts={counts.types} onChange={setType} />
            <Choice
              label="Class"
              all="all classes"
              chosen={className}
              counts={counts.classes}
              onChange={setClassName}
            />
            <ExportMenu name="events" pql={query("events", { where: exported })} />
          </>
        )
      }
    >
      {total > events.length ? (
        <p>
          The first {events.length.toLocaleString()} of {total.toLocaleString()} events; the export has all.
        </p>
      ) : null}
      {shown.length === 0 ? <p>No event is like that.</p> : null}
      <ul class="events">
        {growing.shown.map((event, index) => (
          <EventItem
            key={`${refOf(event)} ${event.property ?? ""} ${event.timestamp} ${index}`}
            id={`event-${index}`}
            event={event}
            certname={props.certname}
            onLog={props.sources.has(refOf(event)) ? () => props.onLog(refOf(event)) : undefined}
          />
        ))}
      </ul>
      {growing.more}
    </Panel>
  );
}

function refOf({ resource_type: type, resource_title: title }: ReportEvent): string {
  return refText({ type, title });
}
