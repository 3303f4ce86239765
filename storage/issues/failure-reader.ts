import type { Database } from "../engine/database.ts";
import type { Snapshot } from "../engine/snapshot.ts";
import type { SqlValue } from "../engine/sql-value.ts";
import type { ReadOptions } from "../engine/statements.ts";
import { Yielder } from "../ingest/yielder.ts";
import { memoryBudget } from "../memory/budget.ts";
import { isMemoryTight } from "../memory/guard.ts";
import { failuresOf, Identities } from "./failures.ts";
import { KnownFailures, type KnownReport, type Outcome } from "./known-failures.ts";
import { isFailed, readFailures, reportMark, reportTime, type StoredFailure } from "./read.ts";

/** How much is read at a time. */
export interface ReadingSizes {
  /** Approximate number of failed reports that are read at once. */
  readonly part: number;
  /** Maximum older reports that are read at once; the others are read in the background. */
  readonly few: number;
}

const usualSizes: ReadingSizes = { part: 20_000, few: 5000 };

/** Maximum failures in memory: 16 bytes each, and those of their reports. */
const MOST_FAILURES = { ample: 2_000_000, watched: 200_000 } as const;

/** The state of what has been read. */
const tables = ["reports", "events"] as const;

interface TableState {
  /** Changes with them. */
  readonly version: string;
  /** Changes when rows of them are replaced or deleted; undefined: some are at present. */
  readonly rows: string | undefined;
}

/** Milliseconds between two parts that are read in the background. */
const PAUSE = 100;

/**
 * Reads the failures of reports, each report once, because reading its log, a document, takes most of the time. New
 * reports are added, deleted ones are removed. Old ones are read as far back as a request needs, and the others in the
 * background.
 */
export class FailureReader {
  readonly #database: Database;
  readonly #sizes: ReadingSizes;
  readonly #identities = new Identities();
  #known = new KnownFailures();
  /** Reports sent since then have been read; milliseconds since the epoch. */
  #since = Infinity;
  /** The largest id of the stored reports when they were read. */
  #lastId = 0;
  /** The tables as all that is read was up to date. */
  #readAt: TableState = { version: "", rows: undefined };
  /** Only one request reads at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #isDeepening = false;
  readonly #closing = new AbortController();

  constructor(database: Database, sizes = usualSizes) {
    this.#database = database;
    this.#sizes = sizes;
  }

  /** Whether all reports that are stored have been read. */
  get isComplete(): boolean {
    return this.#since === -Infinity;
  }

  /**
   * The failures of all reports sent since a time, and perhaps of older ones.
   * @param from milliseconds since the epoch
   */
  async since(from: number, options: ReadOptions): Promise<KnownFailures> {
    const turn = this.#turn.catch(() => undefined).then(() => this.#upToDate(from, options));
    this.#turn = turn;
    const known = await turn;
    if (!this.isComplete) this.#deepen();
    return known;
  }

  /** Stops reading in the background. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn.catch(() => undefined);
  }

  async #upToDate(from: number, options: ReadOptions): Promise<KnownFailures> {
    options.signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const before = this.#tables();
    if (this.#readAt.version === before.version && this.#since <= from) return this.#known;
    await this.#reading(options, async (snapshot) => {
      if (this.#readAt.version !== before.version) await this.#catchUp(snapshot);
      if (from < this.#since) await this.#readBack(snapshot, from);
      if (!this.isComplete && (await this.#olderCount(snapshot)) <= this.#sizes.few)
        await this.#readBack(snapshot, -Infinity);
    });
    this.#readAt = before;
    return this.#known;
  }

  #tables(): TableState {
    const { versions } = this.#database;
    const rows = tables.map((table) => versions.ofRows(table));
    return {
      version: versions.of(tables.join()),
      rows: rows.includes(undefined) ? undefined : rows.join(),
    };
  }

  async #reading(options: ReadOptions, work: (snapshot: Snapshot) => Promise<void>): Promise<void> {
    const reading = this.#database.snapshot(async function* ([snapshot]) {
      await work(snapshot);
      yield undefined;
    }, options);
    for await (const _ of reading);
  }

  /** Adds reports that were stored since the last time, and removes deleted ones. */
  async #catchUp(snapshot: Snapshot): Promise<void> {
    // The current values: the snapshot is older.
    const { rows } = this.#tables();
    const isAddedOnly = rows !== undefined && rows === this.#readAt.rows;
    const [stored] = await snapshot.rows<{ last: bigint | null }>(
      // With the bound the engine reads only the last rows.
      `SELECT max(id) AS last FROM reports WHERE id >= ${isAddedOnly ? this.#lastId : 0}`,
    );
    const last = Number(stored?.last ?? 0);
    if (this.#since === Infinity) {
      this.#lastId = last;
      return;
    }
    if (!isAddedOnly && !(await this.#withoutDeleted(snapshot))) {
      // Others have been stored in their place.
      this.#known = new KnownFailures();
      this.#since = Infinity;
      this.#lastId = last;
      return;
    }
    const bounds = [BigInt(this.#lastId), BigInt(last), moment(this.#since)] as const;
    const condition = "r.id > $1 AND r.id <= $2 AND r.producer_timestamp >= $3";
    await this.#read(snapshot, condition, bounds, this.#lastId);
    this.#lastId = last;
  }

  /**
   * Removes deleted reports.
   * @returns false if the other stored reports are not the known ones
   */
  async #withoutDeleted(snapshot: Snapshot): Promise<boolean> {
    const among = `${isFailed} AND r.id <= $1 AND r.producer_timestamp >= $2`;
    const known = [BigInt(this.#lastId), moment(this.#since)] as const;
    const [sums] = await snapshot.rows<{ n: bigint; marks: number | null }>(
      `SELECT count(*) AS n, sum(${reportMark})::DOUBLE AS marks FROM reports r WHERE ${among}`,
      known,
    );
    if (Number(sums?.n ?? 0) === this.#known.reports && (sums?.marks ?? 0) === this.#known.markSum) return true;
    const rows = await snapshot.rows<{ id: bigint; mark: bigint }>(
      `SELECT r.id AS id, ${reportMark}::BIGINT AS mark FROM reports r WHERE ${among}`,
      known,
    );
    this.#known = this.#known.only(new Map(rows.map(({ id, mark }) => [Number(id), Number(mark)])));
    return this.#known.reports === rows.length;
  }

  async #readBack(snapshot: Snapshot, from: number): Promise<void> {
    const bounds = [BigInt(this.#lastId), moment(from), moment(this.#since)] as const;
    await this.#read(snapshot, `r.id <= $1 AND r.producer_timestamp >= $2 AND r.producer_timestamp < $3`, bounds);
    this.#since = from;
  }

  /** Adds all or none of the reports. */
  async #read(snapshot: Snapshot, condition: string, values: readonly SqlValue[], after = 0): Promise<void> {
    const found: KnownReport[] = [];
    const yielder = new Yielder();
    for await (const report of readFailures(snapshot, { condition, values, after })) {
      found.push(this.#knownReport(report));
      if (yielder.isDue()) await yielder.yield();
    }
    for (const report of found) this.#known.add(report);
  }

  #knownReport(report: StoredFailure): KnownReport {
    const { id, mark, node, certname, time, environment, hash, isOfAgent } = report;
    const failures = failuresOf(report).map((failure) => ({
      identity: this.#identities.of(failure, certname),
      place: failure.place,
      class: failure.class,
      count: failure.count,
    }));
    return { id, mark, node, certname, time, environment, hash, outcome: outcomeOf(report), isOfAgent, failures };
  }

  async #olderCount(snapshot: Snapshot): Promise<number> {
    const [row] = await snapshot.rows<{ n: bigint }>(
      `SELECT count(*) AS n FROM reports r WHERE ${isFailed} AND r.id <= $1 AND r.producer_timestamp < $2`,
      [BigInt(this.#lastId), moment(this.#since)],
    );
    return Number(row?.n ?? 0);
  }

  /** Reads older reports in the background, one part after another. */
  #deepen(): void {
    if (this.#isDeepening) return;
    this.#isDeepening = true;
    const parts = async (): Promise<void> => {
      while (!this.#closing.signal.aborted && !this.isComplete && this.#hasRoom()) {
        const turn = this.#turn.catch(() => undefined).then(() => this.#deepenOnce());
        this.#turn = turn;
        await turn;
        await new Promise((resolve) => setTimeout(resolve, PAUSE).unref());
      }
    };
    // The next request starts it again.
    void parts()
      .catch(() => undefined)
      .finally(() => (this.#isDeepening = false));
  }

  #hasRoom(): boolean {
    const { ample, watched } = MOST_FAILURES;
    return !isMemoryTight() && this.#known.failures < (memoryBudget().isWatched ? watched : ample);
  }

  async #deepenOnce(): Promise<void> {
    if (this.isComplete) return;
    const { part } = this.#sizes;
    await this.#reading({ signal: this.#closing.signal }, async (snapshot) => {
      const [row] = await snapshot.rows<{ time: bigint | null; n: bigint }>(
        `SELECT min(time) AS time, count(*) AS n FROM (SELECT ${reportTime} AS time FROM reports r
         WHERE ${isFailed} AND r.id <= $1 AND r.producer_timestamp < $2 ORDER BY time DESC LIMIT ${part})`,
        [BigInt(this.#lastId), moment(this.#since)],
      );
      const isAll = row === undefined || row.time === null || Number(row.n) < part;
      await this.#readBack(snapshot, isAll ? -Infinity : Number(row.time));
    });
  }
}

/** Later than any stored time, in microseconds; its negative is earlier. */
const BEYOND = 9n * 10n ** 18n;

/** Milliseconds as a value of a statement. */
function moment(time: number): { readonly micros: bigint } {
  if (Number.isFinite(time)) return { micros: BigInt(Math.floor(time)) * 1000n };
  return { micros: time < 0 ? -BEYOND : BEYOND };
}

function outcomeOf({ hasFailed, isCached, status }: StoredFailure): Outcome {
  if (hasFailed) return "failed";
  if (isCached) return "hidden";
  return status === "changed" ? "changed" : "unchanged";
}
