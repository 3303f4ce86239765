import type { Json, JsonObject } from "#storage/json.ts";
import { type Text, textsWithNul } from "./hostile-texts.ts";

/** What the runs of nodes end with, in turn. */
const endings = [
  { status: "failed", cached_catalog_status: "not_used", event: "failure" },
  { status: "unchanged", cached_catalog_status: "on_failure", event: undefined },
  { status: "changed", cached_catalog_status: "not_used", event: "success" },
  { status: "unchanged", cached_catalog_status: "not_used", event: "noop" },
] as const;

/** A report of a node; run 0 is the newest. */
export function hostileReport(certname: string, text: Text, index: number, run: number): JsonObject {
  const ending = endings[(index + run) % endings.length] as (typeof endings)[number];
  const minute = String(55 - run * 30).padStart(2, "0");
  const time = `2026-11-20T11:${minute}:00.000Z`;
  return {
    certname,
    puppet_version: text("agent"),
    report_format: 12,
    configuration_version: text("configuration version"),
    start_time: `2026-11-20T11:${minute}:00.000Z`,
    end_time: `2026-11-20T11:${minute}:30.000Z`,
    producer_timestamp: `2026-11-20T11:${minute}:31.000Z`,
    producer: text("producer"),
    corrective_change: index % 3 === 0,
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: text("code"),
    job_id: text("job"),
    cached_catalog_status: ending.cached_catalog_status,
    environment: text("environment"),
    status: ending.status,
    noop: ending.event === "noop",
    noop_pending: ending.event === "noop",
    metrics: [
      { category: "time", name: text("metric"), value: 1.5 },
      { category: text("category"), name: "total", value: 3 },
      { category: "time", name: "total", value: 30 },
    ],
    logs: logs(text, time, ending.event === undefined),
    resources: [
      ...(ending.event === undefined ? [] : [resource(text, time, ending.event)]),
      { ...resource(text, time, "skipped"), resource_title: text("skipped title"), skipped: true, events: [] },
    ],
  };
}

function resource(text: Text, time: string, status: string): JsonObject {
  return {
    skipped: false,
    timestamp: time,
    resource_type: status === "failure" ? text("type") : "File",
    resource_title: text("title"),
    file: text("file"),
    line: 3,
    containment_path: ["Stage[main]", text("class"), text("container")],
    corrective_change: false,
    events: [
      {
        status,
        timestamp: time,
        property: text("property"),
        name: text("event name"),
        old_value: { was: [text("old")] },
        new_value: text("new"),
        message: `${text("message")} ${text("message 2")}`,
        corrective_change: false,
      },
    ],
  };
}

function logs(text: Text, time: string, isCached: boolean): Json[] {
  const line = (level: string, source: string, message: string): JsonObject => ({
    file: text("file"),
    line: 1,
    level,
    message,
    source,
    tags: [level, text("tag")],
    time,
  });
  const diff = `\n--- ${text("file")}\n+++ ${text("new file")}\n@@ -1 +1 @@\n-${text("removed")}\n+${text("added")}\n`;
  return [
    line("info", text("source"), text("log")),
    ...(isCached ? [line("err", "Puppet", `Could not retrieve catalog from remote server: ${text("reason")}`)] : []),
    line("notice", `/Stage[main]/${text("class")}/File[${text("title")}]/content`, diff),
    line("warning", text("source"), textsWithNul.join(" ")),
    line(text("level"), "Puppet", "a level of its own"),
  ];
}
