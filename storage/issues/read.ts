import { quotedText } from "../engine/quoted-text.ts";
import { listText } from "../engine/sql-value.ts";
import type { Transaction } from "../engine/transaction.ts";
import { longTextSizes } from "../ingest/write/long-texts.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { type FailedEvent, type FailedLine, type FailedReport, failureLevels } from "./failures.ts";
import type { Place } from "./issue.ts";

/** A stored report with failures. */
export interface StoredFailure extends FailedReport {
  readonly id: bigint;
  readonly node: number;
  /** When it was sent, µs since the epoch. */
  readonly produced: bigint;
  readonly environment: string | null;
  readonly isPlan: boolean;
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

const levels = failureLevels.map(quotedText).join(", ");

/**
 * Whether a log, a JSON text, may have a line that reports a failure. A message can have the same text, which costs time and
 * nothing else.
 */
export const failureInLog: RegExp = new RegExp(`"level": ?"(?:${failureLevels.join("|")})"`);

/** SQL over `r`, a report: whether it may have failures. */
export const mayHaveFailures = `(r.status = 'failed' OR r.cached_catalog_status = 'on_failure'
  OR r.id IN (SELECT report_id FROM events WHERE status = 'failure') OR regexp_matches(r.logs, ${quotedText(failureInLog.source)}))`;

/** Reads the failures of reports, in the order of their ids. */
export async function* readFailures(tx: Transaction, ids: readonly bigint[]): AsyncGenerator<StoredFailure, void> {
  for (const chunk of chunksOf(await readHeads(tx, ids))) {
    const events = await readLists(tx, eventsSql, chunk, eventOf);
    const lines = await readLists(tx, linesSql, chunk, lineOf);
    for (const head of chunk) yield { ...head, events: events.get(head.id) ?? [], lines: lines.get(head.id) ?? [] };
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

/** With the first and the last id the engine knows which parts of a table it need not read. */
const among = (id: string): string => `${id} IN (SELECT unnest($1::BIGINT[])) AND ${id} >= $2 AND ${id} <= $3`;

function rangeOf(ids: readonly bigint[]): [string, bigint, bigint] {
  return [listText(ids), ids[0] ?? 0n, ids.at(-1) ?? 0n];
}

const longTexts = [longTextSizes.reports, longTextSizes.events].join(" UNION ALL ");

const headsSql = `SELECT r.id, r.node_id AS node, epoch_us(r.producer_timestamp) AS produced, r.environment, r.type = 'plan' AS "isPlan",
    n.certname, coalesce(r.status = 'failed', false) AS "hasFailed",
    coalesce(r.cached_catalog_status = 'on_failure', false) AS "isCached",
    coalesce(f.failed, 0)::INTEGER AS failed, coalesce(s.characters, 0)::DOUBLE AS characters
  FROM reports r JOIN nodes n ON n.id = r.node_id
  LEFT JOIN (
    SELECT report_id, count(*) AS failed FROM events WHERE status = 'failure' AND ${among("report_id")} GROUP BY report_id
  ) f ON f.report_id = r.id
  LEFT JOIN (SELECT id, sum(characters) AS characters FROM (${longTexts}) GROUP BY id) s ON s.id = r.id
  WHERE ${among("r.id")} ORDER BY r.id`;

async function readHeads(tx: Transaction, ids: readonly bigint[]): Promise<Head[]> {
  return ids.length === 0 ? [] : tx.rows<Head>(headsSql, rangeOf(ids));
}

/** Lists of the reports of a chunk, by the ids of the reports. */
async function readLists<T>(
  tx: Transaction,
  sql: string,
  chunk: readonly Head[],
  read: (row: JsonObject) => T,
): Promise<Map<bigint, T[]>> {
  const rows = await tx.rows<{ id: bigint; list: string }>(sql, rangeOf(chunk.map(({ id }) => id)));
  return new Map(
    rows.map(({ id, list }) => {
      const parsed = parseJson(list);
      return [id, (Array.isArray(parsed) ? parsed.filter(isObject) : []).map(read)];
    }),
  );
}

/** SQL of the beginning of a text. */
const text = (sql: string): string => `left(${sql}, 1000)`;

const event = `{'type': e.resource_type, 'title': e.title, 'message': e.message, 'file': e.file, 'line': e.line,
  'class': e.class, 'count': e.n}`;

// Groups contain only the shown part of long texts, because all of them are in memory together.
const eventsSql = `SELECT e.report_id AS id, to_json(list(${event} ORDER BY e.place)[1:${MOST_EVENTS}])::VARCHAR AS list FROM (
    SELECT report_id, resource_type, ${text("resource_title")} AS title, ${text("message")} AS message,
      ${text("file")} AS file, line, ${text("containing_class")} AS class, count(*) AS n, min(position) AS place
    FROM events WHERE status = 'failure' AND ${among("report_id")} GROUP BY ALL
  ) e GROUP BY e.report_id`;

/** The columns that are read of a line; a value of another type is null. */
const line = `{"level": "VARCHAR", "message": "VARCHAR", "source": "VARCHAR", "file": "VARCHAR", "line": "BIGINT"}`;

const failed = `list_filter(from_json(r.logs, '[${line}]'), lambda x: x.level IN (${levels}))[1:${MOST_LINES}]`;

const linesSql = `SELECT r.id, to_json(list_transform(${failed}, lambda x: {'message': ${text("x.message")},
    'source': ${text("x.source")}, 'file': ${text("x.file")}, 'line': x.line}))::VARCHAR AS list
  FROM reports r WHERE ${among("r.id")} AND r.logs IS NOT NULL`;

function eventOf(row: JsonObject): FailedEvent {
  return {
    type: textOrNull(row["type"]) ?? "",
    title: textOrNull(row["title"]) ?? "",
    message: textOrNull(row["message"]),
    place: placeOf(row),
    class: textOrNull(row["class"]),
    count: Number(row["count"]),
  };
}

function lineOf(row: JsonObject): FailedLine {
  return {
    message: textOrNull(row["message"]) ?? "",
    source: textOrNull(row["source"]) ?? "",
    place: placeOf(row),
  };
}

function placeOf({ file, line: number }: JsonObject): Place | null {
  const path = textOrNull(file);
  return path === null ? null : { file: path, line: typeof number === "number" ? number : null };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
