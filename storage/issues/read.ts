import { quotedText } from "../engine/quoted-text.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { SqlValue } from "../engine/sql-value.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { type FailedEvent, type FailedLine, failureLevels, type FailedReport, type Place } from "./failures.ts";

/** A failed report and where it belongs. */
export interface StoredFailure extends FailedReport {
  readonly id: number;
  /** {@link reportMark} */
  readonly mark: number;
  readonly node: number;
  /** When it was sent, in milliseconds since the epoch. */
  readonly time: number;
  readonly environment: string | null;
  readonly hash: string;
  readonly status: string | null;
  /** Reports of plans are no node's latest, and counted only where a site wants that. */
  readonly isOfAgent: boolean;
}

/** Failed reports: those that failed, that hide a failure, or that have failed events whatever their status says. */
export const isFailed =
  "(r.status = 'failed' OR r.cached_catalog_status = 'on_failure' OR r.id IN (SELECT report_id FROM events WHERE status = 'failure'))";

/**
 * SQL of a number of 32 bits that tells a report, over the alias `r`. Ids may be given again, after a fixture was reset or the
 * database file was damaged.
 */
export const reportMark = "(hash(r.id, r.node_id, r.producer_timestamp) % 4294967296)";

/** SQL of when a report was sent, in milliseconds since the epoch. */
export const reportTime = "epoch_ms(r.producer_timestamp)";

/** Characters of a text that are read. */
const LONGEST_TEXT = 4096;

/** Events of a report, and lines of its log, that are read at most. */
const MOST_EVENTS = 1000;
const MOST_LINES = 50;

const levels = failureLevels.map(quotedText).join(", ");

const text = (sql: string): string => `left(${sql}, ${LONGEST_TEXT})`;

const eventJson = `{'type': e.resource_type, 'title': ${text("e.resource_title")}, 'message': ${text("e.message")}, 'file': ${text("e.file")}, 'line': e.line, 'class': ${text("e.containing_class")}, 'count': e.n}`;

const lineJson = `{'level': 'VARCHAR', 'message': 'VARCHAR', 'source': 'VARCHAR', 'file': 'VARCHAR', 'line': 'BIGINT'}`;

/** Which failed reports are read, and what of them. */
export interface FailureSelection {
  /** SQL over the alias `r` of reports, with a parameter. */
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** Lines of their logs as well, which takes longer than all the rest; default: yes. */
  readonly withLines?: boolean;
}

/** Reads failed reports as of one state of the store. */
export async function* readFailures(
  snapshot: Snapshot,
  { condition, values, withLines = true }: FailureSelection,
): AsyncGenerator<StoredFailure, void> {
  for await (const rows of snapshot.answer({ sql: failuresSql(condition, withLines ? "r.logs" : "NULL"), values })) {
    for (const row of rows.texts()) {
      const parsed = parseJson(row);
      if (isObject(parsed)) yield failureOf(parsed);
    }
  }
}

/** The log is taken apart for these reports alone. */
function failuresSql(condition: string, logs: string): string {
  return `WITH found AS MATERIALIZED (
      SELECT r.id, ${reportMark} AS mark, r.node_id, ${reportTime} AS time, r.environment, r.hash, r.status, r.type,
        r.cached_catalog_status, ${logs} AS logs, n.certname
      FROM reports r JOIN nodes n ON n.id = r.node_id WHERE ${isFailed} AND ${condition}
    ), failed AS (
      SELECT report_id, list(${eventJson})[1:${MOST_EVENTS}] AS events FROM (
        SELECT report_id, resource_type, resource_title, message, file, line, containing_class, count(*) AS n, min(position) AS place
        FROM events WHERE status = 'failure' AND report_id IN (SELECT id FROM found) GROUP BY ALL ORDER BY report_id, place
      ) e GROUP BY report_id
    )
    SELECT to_json({'id': f.id, 'mark': f.mark, 'node': f.node_id, 'time': f.time, 'environment': f.environment, 'hash': f.hash,
      'status': f.status, 'type': f.type, 'cached': f.cached_catalog_status, 'certname': f.certname,
      'events': coalesce(failed.events, []),
      'lines': coalesce(list_transform(
        list_filter(from_json(f.logs, '[${lineJson.replaceAll("'", '"')}]'), lambda x: x.level IN (${levels}))[1:${MOST_LINES}],
        lambda x: {'message': ${text("x.message")}, 'source': ${text("x.source")}, 'file': ${text("x.file")}, 'line': x.line}), [])
    })::VARCHAR FROM found f LEFT JOIN failed ON failed.report_id = f.id`;
}

function failureOf(row: JsonObject): StoredFailure {
  const status = textOf(row["status"]);
  return {
    id: Number(row["id"]),
    mark: Number(row["mark"]),
    node: Number(row["node"]),
    time: Number(row["time"]),
    environment: textOf(row["environment"]),
    hash: textOf(row["hash"]) ?? "",
    status,
    isOfAgent: row["type"] === "agent",
    certname: textOf(row["certname"]) ?? "",
    hasFailed: status === "failed",
    isCached: row["cached"] === "on_failure",
    events: objects(row["events"]).map(eventOf),
    lines: objects(row["lines"]).map(lineOf),
  };
}

function eventOf(event: JsonObject): FailedEvent {
  return {
    type: textOf(event["type"]) ?? "",
    title: textOf(event["title"]) ?? "",
    message: textOf(event["message"]),
    place: placeOf(event),
    class: textOf(event["class"]),
    count: Number(event["count"]),
  };
}

function lineOf(line: JsonObject): FailedLine {
  return { message: textOf(line["message"]) ?? "", source: textOf(line["source"]) ?? "", place: placeOf(line) };
}

function placeOf({ file, line }: JsonObject): Place | null {
  const path = textOf(file);
  return path === null ? null : { file: path, line: typeof line === "number" ? line : null };
}

function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
