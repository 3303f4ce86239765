import type { Json, JsonObject } from "#storage/json.ts";
import { fileOf, type ManagedResource } from "./edit-catalog.ts";

/** What a run did to a resource, or failed to do. */
export interface RunEvent {
  readonly resource: ManagedResource;
  readonly status: "success" | "failure";
  readonly property: string;
  readonly old: Json;
  readonly new: Json;
  readonly message: string;
  readonly isCorrective?: boolean;
  /** The difference of a file, as the agent logs it. */
  readonly diff?: string;
}

/** Adds an event to a report with all that follows from it: the status, the log, the metrics. */
export function addEvent(report: JsonObject, event: RunEvent): void {
  const { resource, status, property, isCorrective = false } = event;
  const { type, title, holder, line } = resource;
  const file = fileOf(resource, report["environment"] as string);
  const timestamp = report["end_time"] as string;
  const containmentPath = ["Stage[main]", "Main", holder, `${type}[${title}]`];
  (report["resources"] as JsonObject[]).push({
    skipped: false,
    timestamp,
    resource_type: type,
    resource_title: title,
    file,
    line,
    containment_path: containmentPath,
    corrective_change: isCorrective,
    events: [
      {
        status,
        timestamp,
        name: `${property}_changed`,
        property,
        new_value: event.new,
        old_value: event.old,
        message: event.message,
        corrective_change: isCorrective,
      },
    ],
  });
  if (status === "failure") report["status"] = "failed";
  else if (report["status"] === "unchanged") report["status"] = "changed";
  if (isCorrective) report["corrective_change"] = true;
  const source = `/${containmentPath.join("/")}/${property}`;
  for (const message of event.diff === undefined ? [event.message] : [event.diff, event.message]) {
    addLine(report, { level: status === "failure" ? "err" : "notice", source, message, file, line });
  }
  count(report, "resources", ["out_of_sync", status === "failure" ? "failed" : "changed"]);
  if (isCorrective) count(report, "resources", ["corrective_change"]);
  count(report, "events", ["total", status]);
  if (status === "success") count(report, "changes", ["total"]);
}

/** Turns a report into that of a run which got no catalog and applied the one that the agent had kept. */
export function fallBack(report: JsonObject, message: string): void {
  report["status"] = "unchanged";
  report["resources"] = [];
  report["corrective_change"] = false;
  report["noop_pending"] = false;
  report["cached_catalog_status"] = "on_failure";
  report["logs"] = [];
  for (const metric of report["metrics"] as JsonObject[]) {
    if (metric["category"] !== "time" && !(metric["category"] === "resources" && metric["name"] === "total")) {
      metric["value"] = 0;
    }
  }
  addLine(report, { level: "err", source: "Puppet", message });
  addLine(report, { level: "notice", source: "Puppet", message: "Using cached catalog from environment 'production'" });
}

interface Line {
  readonly level: "err" | "notice";
  readonly source: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

function addLine(report: JsonObject, { level, source, message, file, line }: Line): void {
  const time = report["end_time"] as string;
  const tags = [level];
  (report["logs"] as JsonObject[]).push({ level, source, message, file: file ?? null, line: line ?? null, tags, time });
}

function count(report: JsonObject, category: string, names: readonly string[]): void {
  for (const metric of report["metrics"] as JsonObject[]) {
    const isCounted = metric["category"] === category && names.includes(metric["name"] as string);
    if (isCounted) metric["value"] = Number(metric["value"]) + 1;
  }
}
