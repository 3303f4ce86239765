import { canonicalText } from "../hash/canonical.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { isEmpty } from "./shape.ts";
import { onEach, onObject, underscored, type Upgrades } from "./upgrade.ts";

/** Upgrades of old versions (reference/commands.md §3.3). */
export const reportUpgrades: Upgrades = {
  3: onObject((report) => ({ ...report, status: null })),
  4: onObject((sent, received) => {
    const report = underscored(sent);
    return {
      ...report,
      resource_events: onEach(report["resource_events"], underscored),
      metrics: null,
      logs: null,
      noop: null,
      producer_timestamp: received.toISOString(),
    };
  }),
  5: onObject(({ resource_events, ...report }) => ({ resources: grouped(resource_events ?? null), ...report })),
  6: onObject((report) => ({
    catalog_uuid: report["transaction_uuid"] ?? null,
    cached_catalog_status: null,
    code_id: null,
    ...report,
  })),
  7: onObject((report) => ({
    noop_pending: null,
    corrective_change: null,
    producer: null,
    job_id: null,
    ...report,
    resources: onEach(report["resources"], (resource) => ({
      ...resource,
      corrective_change: null,
      events: onEach(resource["events"], (event) => ({ ...event, corrective_change: null })),
    })),
  })),
};

/** Keys that the events of one resource share; all but the time move from the event to the resource. */
const SHARED_KEYS = ["file", "line", "timestamp", "resource_type", "resource_title", "containment_path"] as const;

/** Events as resources with events, in the order of each resource's first event. */
function grouped(events: Json): Json {
  if (isEmpty(events)) return [];
  if (!Array.isArray(events)) return events;
  const groups = new Map<string, { resource: JsonObject; events: Json[] }>();
  const resources: Json[] = [];
  for (const event of events) {
    if (!isObject(event)) {
      resources.push(event);
      continue;
    }
    const shared = SHARED_KEYS.filter((key) => event[key] !== undefined).map((key) => [key, event[key] as Json]);
    const resource: JsonObject = { ...Object.fromEntries(shared), skipped: event["status"] === "skipped" };
    const group = canonicalText(resource, "symbols");
    let place = groups.get(group);
    if (place === undefined) {
      place = { resource, events: [] };
      groups.set(group, place);
      resources.push(resource);
      resource["events"] = place.events;
    }
    const moved = new Set<string>(SHARED_KEYS.filter((key) => key !== "timestamp"));
    place.events.push(Object.fromEntries(Object.entries(event).filter(([key]) => !moved.has(key))));
  }
  return resources;
}
