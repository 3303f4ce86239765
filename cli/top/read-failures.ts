import { type FailedEvent, type FailedLine, type FailedReport, failureLevels } from "#storage/issues/failures.ts";
import type { Place } from "#storage/issues/issue.ts";
import type { JsonObject } from "#storage/json.ts";
import { logLines, textOrNull } from "../node/failures.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { equal, pqlText } from "../short-forms/pql.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { Since } from "./fleet.ts";
import type { SinceOf } from "./issues.ts";

const FAILED = equal("status", "failed") ?? "";
const CACHED = equal("cached_catalog_status", "on_failure") ?? "";
const LATEST = "latest_report? = true";

/** Nodes that a query names: longer ones take long to plan. */
const NODES_AT_ONCE = 100;

/** The latest reports that failed, or that hide a failure. */
export async function readFailedReports(readRows: ReadRows): Promise<FailedReport[]> {
  const reports = await readRows(
    pqlText({
      entity: "reports",
      fields: ["certname", "status", "cached_catalog_status", "logs"],
      conditions: [LATEST, `(${FAILED} or ${CACHED})`],
    }),
  );
  const events = await readRows(
    pqlText({
      entity: "events",
      fields: ["certname", "resource_type", "resource_title", "message", "file", "line", "containing_class"],
      conditions: [LATEST, equal("status", "failure")],
    }),
  );
  const eventsOf = Map.groupBy(events, certnameOf);
  const failed = new Set(reports.map(certnameOf));
  const others = [...eventsOf.keys()].filter((name) => !failed.has(name));
  return [
    ...reports.map((report) => ({
      certname: certnameOf(report),
      hasFailed: report["status"] === "failed",
      isCached: report["cached_catalog_status"] === "on_failure",
      events: (eventsOf.get(certnameOf(report)) ?? []).map(eventOf),
      lines: logLines(report["logs"]).filter(isFailure).map(lineOf),
    })),
    ...others.map((certname) => ({
      certname,
      hasFailed: false,
      isCached: false,
      events: (eventsOf.get(certname) ?? []).map(eventOf),
      lines: [],
    })),
  ];
}

/** Reads since when nodes and their resources fail: the first failure after the last good run. */
export async function readSince(certnames: readonly string[], readRows: ReadRows): Promise<SinceOf> {
  const runs = new Map<string, Since>();
  const resources = new Map<string, Since>();
  for (let start = 0; start < certnames.length; start += NODES_AT_ONCE) {
    const names = certnames.slice(start, start + NODES_AT_ONCE);
    const good = await readGoodRuns(names, readRows);
    const isOldest = (certname: string): boolean => !good.has(certname);
    const after = (field: string): string =>
      `(${names
        .map((name) => {
          const last = good.get(name);
          const named = equal("certname", name) ?? "";
          return last === undefined ? named : `(${named} and ${field} > ${pqlString(last)})`;
        })
        .join(" or ")})`;
    const bad = await readRows(
      pqlText({
        entity: "reports",
        fields: ["certname", "min(end_time)"],
        conditions: [`(${FAILED} or ${CACHED})`, after("end_time")],
        order: ["group by certname"],
      }),
    );
    const keys = ["certname", "resource_type", "resource_title"];
    const events = await readRows(
      pqlText({
        entity: "events",
        fields: [...keys, "min(timestamp)"],
        conditions: [equal("status", "failure"), after("timestamp")],
        order: [`group by ${keys.join(", ")}`],
      }),
    );
    for (const row of bad) addTo(runs, certnameOf(row), row, isOldest);
    for (const row of events) addTo(resources, keyOf(certnameOf(row), resourceName(row)), row, isOldest);
  }
  return (certname, resource) =>
    (resource === undefined ? undefined : resources.get(keyOf(certname, resource))) ?? runs.get(certname) ?? null;
}

/** The end of each node's last run without a failure. */
async function readGoodRuns(names: readonly string[], readRows: ReadRows): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows(
    pqlText({
      entity: "reports",
      fields: ["certname", "max(end_time)"],
      conditions: [
        `certname in [${names.map(pqlString).join(", ")}]`,
        `!(${FAILED})`,
        // A comparison with null is unknown, and so is its negation.
        `(cached_catalog_status is null or !(${CACHED}))`,
      ],
      order: ["group by certname"],
    }),
  );
  return new Map(rows.map((row) => [certnameOf(row), textOrNull(row["max"]) ?? ""]));
}

function addTo(times: Map<string, Since>, key: string, row: JsonObject, isOldest: (certname: string) => boolean): void {
  const time = textOrNull(row["min"]);
  if (time !== null) times.set(key, { time, isOldest: isOldest(certnameOf(row)) });
}

const keyOf = (certname: string, resource: string): string => `${certname} ${resource}`;

function certnameOf(row: JsonObject): string {
  return textOrNull(row["certname"]) ?? "";
}

function resourceName(row: JsonObject): string {
  return `${textOrNull(row["resource_type"]) ?? ""}[${textOrNull(row["resource_title"]) ?? ""}]`;
}

function eventOf(row: JsonObject): FailedEvent {
  return {
    type: textOrNull(row["resource_type"]) ?? "",
    title: textOrNull(row["resource_title"]) ?? "",
    message: textOrNull(row["message"]),
    place: placeOf(row),
    class: textOrNull(row["containing_class"]),
    count: 1,
  };
}

function isFailure(line: JsonObject): boolean {
  return failureLevels.some((level) => level === line["level"]);
}

function lineOf(line: JsonObject): FailedLine {
  return { message: textOrNull(line["message"]) ?? "", source: textOrNull(line["source"]) ?? "", place: placeOf(line) };
}

function placeOf(row: JsonObject): Place | null {
  const file = textOrNull(row["file"]);
  return file === null ? null : { file, line: typeof row["line"] === "number" ? row["line"] : null };
}
