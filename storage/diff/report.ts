import type { Json, JsonObject } from "../json.ts";
import { resourceText } from "./catalog.ts";
import { compareValues, type ValueChange } from "./values.ts";

/** The effect of a run on one property of one resource, in the compared fields of the `events` entity. */
export interface ReportEvent {
  readonly resource_type: string;
  readonly resource_title: string;
  readonly property: string | null;
  readonly status: string;
  readonly old_value: Json;
  readonly new_value: Json;
  readonly message: string | null;
  readonly corrective_change: boolean | null;
}

/** The compared part of a line of a report's log: not its time. */
export interface ReportLog {
  readonly level: string;
  readonly source: string;
  readonly message: string;
}

/** The compared part of a report. */
export interface Report {
  /** Its scalar fields, such as status; not its times and identifiers. */
  readonly head: JsonObject;
  readonly events: readonly ReportEvent[];
  /** By category, then by name. */
  readonly metrics: Readonly<Record<string, JsonObject>>;
  readonly logs: readonly ReportLog[];
}

/** An event that only one of two reports has, or that differs. */
export type EventChange = EventPlace &
  (
    | { readonly kind: "added"; readonly to: ReportEvent }
    | { readonly kind: "removed"; readonly from: ReportEvent }
    | { readonly kind: "changed"; readonly changes: readonly ValueChange[] }
  );

interface EventPlace {
  readonly type: string;
  readonly title: string;
  readonly property: string | null;
}

/** A line that only one of two logs has. */
export interface LogChange {
  readonly kind: "added" | "removed";
  readonly log: ReportLog;
}

/** How two reports differ. */
export interface ReportChanges {
  readonly head: readonly ValueChange[];
  readonly events: readonly EventChange[];
  /** Paths are category and name. */
  readonly metrics: readonly ValueChange[];
  readonly logs: readonly LogChange[];
}

/** Compares two reports, of one node or of two. */
export function compareReports(from: Report, to: Report): ReportChanges {
  return {
    head: compareValues(from.head, to.head),
    events: compareEvents(from.events, to.events),
    metrics: compareValues(from.metrics, to.metrics),
    logs: compareLogs(from.logs, to.logs),
  };
}

/** Events are identified by resource and property; if a report has several of these, by their order. */
function compareEvents(from: readonly ReportEvent[], to: readonly ReportEvent[]): EventChange[] {
  const [before, after] = [byPlace(from), byPlace(to)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((place): EventChange[] => {
    const [old, young] = [before.get(place), after.get(place)];
    if (old === undefined) return young === undefined ? [] : [{ ...placeOf(young), kind: "added", to: young }];
    if (young === undefined) return [{ ...placeOf(old), kind: "removed", from: old }];
    const changes = compareValues(outcome(old), outcome(young));
    return changes.length === 0 ? [] : [{ ...placeOf(old), kind: "changed", changes }];
  });
}

function byPlace(events: readonly ReportEvent[]): Map<string, ReportEvent> {
  return numbered(events, (event) => eventText(placeOf(event)));
}

function placeOf({ resource_type: type, resource_title: title, property }: ReportEvent): EventPlace {
  return { type, title, property };
}

function outcome({ status, old_value, new_value, message, corrective_change }: ReportEvent): JsonObject {
  return { status, old_value, new_value, message, corrective_change };
}

/** A line that one log has three times and the other twice counts as one difference. */
function compareLogs(from: readonly ReportLog[], to: readonly ReportLog[]): LogChange[] {
  const key = (log: ReportLog): string => JSON.stringify([log.level, log.source, log.message]);
  const [before, after] = [numbered(from, key), numbered(to, key)];
  return [
    ...onlyIn(before, after).map((log): LogChange => ({ kind: "removed", log })),
    ...onlyIn(after, before).map((log): LogChange => ({ kind: "added", log })),
  ];
}

function onlyIn<T>(here: ReadonlyMap<string, T>, there: ReadonlyMap<string, T>): T[] {
  return [...here].flatMap(([key, value]) => (there.has(key) ? [] : [value]));
}

/** Elements by their keys; the second and later elements with the same key also by their number. */
function numbered<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    things.map((thing) => {
      const key = keyOf(thing);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [`${key}\u0000${count}`, thing];
    }),
  );
}

/** `Service[nginx]::ensure`: the place of an event for people and for patterns. */
export function eventText({ type, title, property }: EventPlace): string {
  return `${resourceText({ type, title })}${property === null ? "" : `::${property}`}`;
}

/** `err Puppet: Could not …`: a line of a log for people and for patterns. */
export function logText({ level, source, message }: ReportLog): string {
  return `${level} ${source}: ${message}`;
}
