import { canonicalText } from "../hash/canonical.ts";
import { sha1 } from "../hash/sha1.ts";
import type { Json } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { cleanText } from "./clean.ts";
import type { Report, ReportResource, ResourceEvent } from "./report.ts";

/** One event of a report. */
export interface ReportEvent {
  readonly status: string;
  readonly timestamp: Timestamp;
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly name: string | null;
  /** canonical JSON text; null only in the event that is added for a skipped resource */
  readonly old_value: string | null;
  /** as {@link ReportEvent.old_value} */
  readonly new_value: string | null;
  readonly message: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly containment_path: readonly string[] | null;
  readonly containing_class: string | null;
  /** whether it reverted an unintended change; as sent */
  readonly corrective_change: boolean | null;
}

/**
 * The events of a report, in its order (reference/commands.md §4.3). A skipped resource gets one event; others have
 * those that were sent. Of events with the same identity (reference/hashing.md §7) the first one is used.
 */
export function eventsOf(report: Pick<Report, "resources">): ReportEvent[] {
  const distinct = new Map<string, ReportEvent>();
  for (const resource of report.resources) {
    for (const event of eventsOfResource(resource)) {
      const identity = identityOf(event);
      if (!distinct.has(identity)) distinct.set(identity, event);
    }
  }
  return [...distinct.values()];
}

function eventsOfResource(resource: ReportResource): ReportEvent[] {
  const { resource_type, resource_title, file, line, containment_path } = resource;
  const place = {
    resource_type,
    resource_title,
    file,
    line,
    containment_path,
    containing_class: containingClass(containment_path),
  };
  if (resource.skipped) return [{ ...SKIPPED, timestamp: resource.timestamp, ...place }];
  return resource.events.map((event) => ({ ...changeOf(event), ...place }));
}

const SKIPPED = {
  status: "skipped",
  property: null,
  name: null,
  old_value: null,
  new_value: null,
  message: null,
  corrective_change: null,
};

function changeOf(event: ResourceEvent) {
  const { status, timestamp, property, name, old_value, new_value, message, corrective_change } = event;
  return {
    corrective_change,
    status,
    timestamp,
    property,
    name,
    old_value: valueText(old_value),
    new_value: valueText(new_value),
    message,
  };
}

// U+0000 inside the value is an escape, so it may stay: the text itself does not contain the character.
function valueText(value: Json): string {
  return canonicalText(typeof value === "string" ? cleanText(value) : value, "symbols");
}

/** The innermost class: the last element that is neither empty nor a resource like `File[/x]`. */
function containingClass(path: readonly string[] | null): string | null {
  return path?.findLast((element) => element !== "" && !element.includes("[")) ?? null;
}

/** containment_path is not part of the identity, and times count to the millisecond. */
function identityOf(event: ReportEvent): string {
  const identity = JSON.stringify([
    event.resource_type,
    event.resource_title,
    event.property,
    String(event.timestamp / 1000n),
    event.status,
    event.old_value,
    event.new_value,
    event.message,
    event.name,
    event.file,
    event.line,
  ]);
  // The identities of all events are in memory at the same time.
  // A longer identity is replaced by its hash.
  return identity.length > 64 * 1024 ? sha1(identity) : identity;
}
