import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { beginning } from "../value/text.ts";
import { marked, Text } from "../value/value.tsx";
import { Place, ResourceLink } from "../value/resource-link.tsx";
import { Change, hasChange } from "./change.tsx";
import { EventStatus } from "./event-status.tsx";
import { friendly } from "#storage/display/friendly.ts";
import type { ReportEvent } from "./rows.ts";

export interface EventItemProps {
  readonly id: string;
  readonly event: ReportEvent;
  readonly certname: string;
  /** Shows the resource's lines of the log. */
  readonly onLog: (() => void) | undefined;
}

/** What happened to one property of a resource. */
export function EventItem({ id, event, certname, onLog }: EventItemProps): JSX.Element {
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
