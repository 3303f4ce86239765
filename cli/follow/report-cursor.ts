import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { formatTimestamp, parseTimestamp, type Timestamp } from "#storage/time.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { pqlText } from "../short-forms/pql.ts";
import type { ReadRows } from "../sources/read-rows.ts";

/** Microseconds. */
const SECOND = 1_000_000n;

/**
 * How far back each look goes. A report is visible some time after it was received, and not in the order of arrival: commands
 * wait in a queue, and one that failed is stored later.
 */
const NEAR = 60n * SECOND;

/** How far back every {@link FAR_EVERY}th look goes, for commands that were postponed. */
const FAR = 15n * 60n * SECOND;
const FAR_EVERY = 30;

/** Reports that are read at a time, by their hashes. */
const PAGE = 100;

/** Reads some reports with all that is shown of them. */
export type ReadReports<T> = (hashes: readonly string[]) => Promise<T>;

/**
 * Finds each report of a server once, in the order of arrival. Reports are recognised by their hashes, so that any number may
 * arrive at one instant; all received in the last minutes are looked at each time, so that none is missed.
 */
export class ReportCursor<T> {
  readonly #readRows: ReadRows;
  readonly #conditions: readonly (string | undefined)[];
  readonly #readReports: ReadReports<T>;
  /** Reports that were found before, with the time when they were received. */
  readonly #known = new Map<string, Timestamp>();
  /** Nothing received earlier is looked for. */
  #floor: Timestamp;
  #latest: Timestamp;
  #looks = 0;

  /**
   * @param conditions in PQL, on reports
   * @param start the present time of the server
   */
  constructor(
    readRows: ReadRows,
    conditions: readonly (string | undefined)[],
    start: Timestamp,
    readReports: ReadReports<T>,
  ) {
    this.#readRows = readRows;
    this.#conditions = conditions;
    this.#readReports = readReports;
    this.#floor = start - FAR;
    this.#latest = start;
  }

  /** Begins after all reports that are there, but for the last ones, which are returned, the oldest first. */
  async skipTo(last: number): Promise<T[]> {
    // What arrives between these two queries is among the second ones, or found by the next look.
    const there = await this.#ids([`receive_time >= ${timeText(this.#floor)}`], []);
    const lasting =
      last === 0 ? [] : await this.#ids([], ["order by receive_time desc, end_time desc, hash desc", `limit ${last}`]);
    const shown = new Set(lasting.map(({ hash }) => hash));
    for (const { hash, time } of there) if (!shown.has(hash)) this.#remember(hash, time);
    const found: T[] = [];
    for await (const page of this.#read(lasting.toReversed())) found.push(page);
    return found;
  }

  /** Begins with the reports received since then. */
  beginAt(time: Timestamp): void {
    this.#floor = time;
    this.#latest = time;
  }

  /** The reports that were not found before, some at a time. */
  async *look(): AsyncGenerator<T> {
    const back = this.#looks++ % FAR_EVERY === 0 ? FAR : NEAR;
    const wanted = this.#latest - back;
    const from = wanted > this.#floor ? wanted : this.#floor;
    const ids = await this.#ids([`receive_time >= ${timeText(from)}`], ["order by receive_time, end_time, hash"]);
    yield* this.#read(ids.filter(({ hash }) => !this.#known.has(hash)));
    this.#forget();
  }

  async *#read(ids: readonly ReportId[]): AsyncGenerator<T> {
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE);
      const reports = await this.#readReports(page.map(({ hash }) => hash));
      for (const { hash, time } of page) this.#remember(hash, time);
      yield reports;
    }
  }

  async #ids(more: readonly string[], order: readonly string[]): Promise<ReportId[]> {
    const conditions = [...this.#conditions, ...more];
    const rows = await this.#readRows(
      pqlText({ entity: "reports", fields: ["hash", "receive_time"], conditions, order }),
    );
    return rows.map((row) => ({ hash: cellText(row["hash"]), time: timeOf(row) ?? this.#latest }));
  }

  #remember(hash: string, time: Timestamp): void {
    this.#known.set(hash, time);
    if (time > this.#latest) this.#latest = time;
  }

  /** Forgets what no look will find again. */
  #forget(): void {
    // Some servers compare milliseconds only.
    const oldest = this.#latest - FAR - SECOND;
    for (const [hash, time] of this.#known) if (time < oldest) this.#known.delete(hash);
  }
}

interface ReportId {
  readonly hash: string;
  readonly time: Timestamp;
}

function timeOf({ receive_time: text }: JsonObject): Timestamp | undefined {
  return typeof text === "string" ? parseTimestamp(text) : undefined;
}

function timeText(time: Timestamp): string {
  return pqlString(formatTimestamp(time));
}
