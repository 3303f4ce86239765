import { quotedText } from "../engine/quoted-text.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { SqlValue } from "../engine/sql-value.ts";
import { longTextSizes } from "../ingest/write/long-texts.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { type FailedEvent, type FailedLine, failureLevels, type FailedReport } from "./failures.ts";
import type { Place } from "./issue.ts";

/** A failed report and its node. */
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
  /** Reports of plans are not the latest of a node, and are counted only if the settings say so. */
  readonly isOfAgent: boolean;
}

const failsItself = "r.status = 'failed' OR r.cached_catalog_status = 'on_failure'";

/**
 * SQL over the alias `r` of reports: those that failed, that hide a failure, or that have failed events whatever their
 * status.
 */
export const isFailed = `(r.id > 0 AND (${failsItself} OR r.id IN (SELECT report_id FROM events WHERE status = 'failure')))`;

/**
 * SQL of a number of 32 bits that identifies a report, over the alias `r`. Ids may be reused after a fixture was reset
 * or the database file was damaged.
 */
export const reportMark = "(hash(r.id, r.node_id, r.producer_timestamp) % 4294967296)";

/** SQL of the time when a report was sent, in milliseconds since the epoch. */
export const reportTime = "epoch_ms(r.producer_timestamp)";

/** The selection of failed reports and of their contents. */
export interface FailureSelection {
  /** SQL over the alias `r` of reports, with a parameter. */
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** Whether to read the lines of their logs, which takes most of the time; default: yes. */
  readonly withLines?: boolean;
  /** Maximum characters of a text; default: as many as distinguish failures. */
  readonly longest?: number;
  /** No report with a smaller id, nor with this one, meets the condition; default: some may. */
  readonly after?: number;
}

/** The properties of a report that are known before its events and its log are read. */
interface Head extends Omit<StoredFailure, "events" | "lines"> {
  /** Failed events. */
  readonly failed: number;
  /** Characters of its long texts. */
  readonly characters: number;
}

/** Maximum events of a report, and lines of its log, that are read. */
const MOST_EVENTS = 250;
const MOST_LINES = 30;

/**
 * Maximum of what is read together, and so in memory: reports, their events and lines, and characters of long texts.
 */
const MOST_AT_ONCE = { failures: 10_000, reports: 1000, characters: 8 * 1024 * 1024 } as const;

const LONGEST = 1000;

/** Reads failed reports in one state of the store. */
export async function* readFailures(
  snapshot: Snapshot,
  selection: FailureSelection,
): AsyncGenerator<StoredFailure, void> {
  const { withLines = true, longest = LONGEST } = selection;
  for (const chunk of chunksOf(await readHeads(snapshot, selection))) {
    const events = await readLists(snapshot, eventsSql(longest), chunk, eventOf);
    const logged = withLines ? chunk.filter(({ hasFailed, isCached }) => hasFailed || isCached) : [];
    const lines = await readLists(snapshot, linesSql(longest), logged, lineOf);
    for (const head of chunk) {
      yield { ...head, events: events.get(head.id) ?? [], lines: lines.get(head.id) ?? [] };
    }
  }
}

/** Reports whose events and logs are read together. */
function* chunksOf(heads: readonly Head[]): Generator<Head[], void> {
  let [chunk, failures, characters]: [Head[], number, number] = [[], 0, 0];
  for (const head of heads) {
    const own = Math.min(head.failed, MOST_EVENTS) + MOST_LINES / 3;
    failures += own;
    characters += head.characters;
    const isFull = chunk.length === MOST_AT_ONCE.reports || failures > MOST_AT_ONCE.failures;
    if (isFull || (chunk.length > 0 && characters > MOST_AT_ONCE.characters)) {
      yield chunk;
      [chunk, failures, characters] = [[], own, head.characters];
    }
    chunk.push(head);
  }
  if (chunk.length > 0) yield chunk;
}

const longTexts = [longTextSizes.reports, longTextSizes.events].join(" UNION ALL ");

/** In the order of storing, which is that of the rows of all tables. */
async function readHeads(snapshot: Snapshot, { condition, values, after = 0 }: FailureSelection): Promise<Head[]> {
  const sql = `SELECT to_json({'id': r.id, 'mark': ${reportMark}, 'node': r.node_id, 'time': ${reportTime},
      'environment': r.environment, 'hash': r.hash, 'status': r.status, 'type': r.type,
      'cached': r.cached_catalog_status, 'certname': n.certname, 'failed': coalesce(f.failed, 0), 'characters': coalesce(s.characters, 0)::BIGINT})::VARCHAR
    FROM reports r JOIN nodes n ON n.id = r.node_id
    LEFT JOIN (
      SELECT report_id, count(*) AS failed FROM events WHERE status = 'failure' AND report_id > ${after} GROUP BY report_id
    ) f ON f.report_id = r.id
    LEFT JOIN (SELECT id, sum(characters) AS characters FROM (${longTexts}) GROUP BY id) s ON s.id = r.id
    WHERE r.id > ${after} AND (${failsItself} OR f.failed IS NOT NULL) AND ${condition} ORDER BY r.id`;
  const heads: Head[] = [];
  for await (const rows of snapshot.stream({ sql, values })) {
    for (const row of rows.texts()) heads.push(headOf(objectIn(row)));
  }
  return heads;
}

/** Lists of the reports of a chunk, by the ids of the reports. */
async function readLists<T>(
  snapshot: Snapshot,
  sql: string,
  chunk: readonly Head[],
  read: (row: JsonObject) => T,
): Promise<Map<number, T[]>> {
  const lists = new Map<number, T[]>();
  const [first, last] = [chunk[0], chunk.at(-1)];
  if (first === undefined || last === undefined) return lists;
  // With the first and the last id the engine knows which parts of the table it need not read.
  const values = [JSON.stringify(chunk.map(({ id }) => id)), BigInt(first.id), BigInt(last.id)];
  for await (const rows of snapshot.stream({ sql, values })) {
    for (const row of rows.texts()) {
      const { id, list } = objectIn(row);
      lists.set(Number(id), (Array.isArray(list) ? list.filter(isObject) : []).map(read));
    }
  }
  return lists;
}

const among = (id: string): string => `${id} IN (SELECT unnest($1::JSON::BIGINT[])) AND ${id} >= $2 AND ${id} <= $3`;

function eventsSql(longest: number): string {
  const text = (sql: string): string => `left(${sql}, ${longest})`;
  const event = `{'type': e.resource_type, 'title': e.title, 'message': e.message, 'file': e.file, 'line': e.line,
    'class': e.class, 'count': e.n}`;
  // Groups contain only the shown part of long texts, because all of them are in memory together.
  return `SELECT to_json({'id': e.report_id, 'list': list(${event} ORDER BY e.place)[1:${MOST_EVENTS}]})::VARCHAR FROM (
      SELECT report_id, resource_type, ${text("resource_title")} AS title, ${text("message")} AS message,
        ${text("file")} AS file, line, ${text("containing_class")} AS class, count(*) AS n, min(position) AS place
      FROM events WHERE status = 'failure' AND ${among("report_id")} GROUP BY ALL
    ) e GROUP BY e.report_id`;
}

const levels = failureLevels.map(quotedText).join(", ");

/** The columns that are read of a line; a value of another type is null. */
const line = `{"level": "VARCHAR", "message": "VARCHAR", "source": "VARCHAR", "file": "VARCHAR", "line": "BIGINT"}`;

function linesSql(longest: number): string {
  const text = (sql: string): string => `left(${sql}, ${longest})`;
  const failed = `list_filter(from_json(r.logs, '[${line}]'), lambda x: x.level IN (${levels}))[1:${MOST_LINES}]`;
  return `SELECT to_json({'id': r.id, 'list': list_transform(${failed}, lambda x: {'message': ${text("x.message")},
      'source': ${text("x.source")}, 'file': ${text("x.file")}, 'line': x.line})})::VARCHAR
    FROM reports r WHERE ${among("r.id")}`;
}

function objectIn(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!isObject(parsed)) throw new Error("a row is not an object");
  return parsed;
}

function headOf(row: JsonObject): Head {
  const status = textOrNull(row["status"]);
  return {
    id: Number(row["id"]),
    mark: Number(row["mark"]),
    node: Number(row["node"]),
    time: Number(row["time"]),
    environment: textOrNull(row["environment"]),
    hash: textOrNull(row["hash"]) ?? "",
    status,
    isOfAgent: row["type"] === "agent",
    certname: textOrNull(row["certname"]) ?? "",
    hasFailed: status === "failed",
    isCached: row["cached"] === "on_failure",
    failed: Number(row["failed"]),
    characters: Number(row["characters"]),
  };
}

function eventOf(event: JsonObject): FailedEvent {
  return {
    type: textOrNull(event["type"]) ?? "",
    title: textOrNull(event["title"]) ?? "",
    message: textOrNull(event["message"]),
    place: placeOf(event),
    class: textOrNull(event["class"]),
    count: Number(event["count"]),
  };
}

function lineOf(logged: JsonObject): FailedLine {
  return {
    message: textOrNull(logged["message"]) ?? "",
    source: textOrNull(logged["source"]) ?? "",
    place: placeOf(logged),
  };
}

function placeOf({ file, line: number }: JsonObject): Place | null {
  const path = textOrNull(file);
  return path === null ? null : { file: path, line: typeof number === "number" ? number : null };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
