import type { Database } from "../engine/database.ts";
import { overlaid, type ReadableDatabase } from "../engine/overlaid.ts";
import { pastDictionaries, pastTables, pastTablesBesides, type ReplacedTables } from "../history/past-tables.ts";
import { historyBegan } from "../history/state.ts";
import { type Clock, formatTimestamp, type Timestamp } from "../time.ts";
import { QueryError } from "./errors.ts";
import { Queries, type QueriesOptions } from "./queries.ts";

/** A past state. */
export interface PastState {
  readonly queries: Queries;
  /** The store as it was. */
  readonly database: ReadableDatabase;
  /** It is that time. */
  readonly clock: Clock;
}

interface Past extends PastState {
  /** Changes when the columns of nodes must be computed again. */
  readonly fingerprint: string;
  /** The versions of {@link TABLES} when that was checked. */
  readonly versions: string;
}

/** What the rows of nodes of a past state are computed from: tables of which rows of an earlier time may be added or deleted. */
const TABLES = ["history_nodes", "reports", "history_state"] as const;

/** The queries of past states, as far as the history goes. */
export class PastQueries {
  readonly #database: Database;
  readonly #options: QueriesOptions;
  /** By their times, the least recently made or checked first. */
  readonly #moments = new Map<Timestamp, Past>();
  #generation = 0;

  constructor(database: Database, options: QueriesOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * The state at a time: of the documents that were produced until then.
   * @throws QueryError for a time in the future, or before anything was recorded
   */
  async at(time: Timestamp): Promise<PastState> {
    const versions = this.#database.versions.of(new Map(TABLES.map((table) => [table, "all"])));
    const known = this.#moments.get(time);
    if (known?.versions === versions) return known;
    await this.#check(time);
    const fingerprint = await this.#fingerprintAt(time);
    const state = known?.fingerprint === fingerprint ? known : this.#make(time);
    const past = { ...state, fingerprint, versions };
    this.#moments.delete(time);
    this.#moments.set(time, past);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size > 4 && oldest !== undefined) this.#moments.delete(oldest);
    return past;
  }

  /** The earliest time whose state can be queried; undefined: no changes are recorded. */
  async earliest(): Promise<Timestamp | undefined> {
    const began = await historyBegan(this.#database);
    // Clients have milliseconds.
    return began === undefined ? undefined : ((began + 999n) / 1000n) * 1000n;
  }

  /**
   * The tables of the state at a time, for views of the present ones' names.
   * @throws QueryError as {@link at}
   */
  async tablesAt(time: Timestamp): Promise<ReplacedTables> {
    await this.#check(time);
    return pastTablesBesides(time);
  }

  async #check(time: Timestamp): Promise<void> {
    const now = this.#options.clock.now();
    if (time > now) {
      throw new QueryError(`as_of: ${formatTimestamp(time)} is in the future; it is ${formatTimestamp(now)} now`);
    }
    const earliest = await this.earliest();
    if (earliest === undefined) {
      throw new QueryError(
        "no past state can be queried, because no changes are recorded here: neither in archives without history nor with history-ttl = 0s",
      );
    }
    if (time < earliest) {
      throw new QueryError(
        `as_of: ${formatTimestamp(time)} is before the recorded history; the earliest time is ${formatTimestamp(earliest)}`,
      );
    }
  }

  /** Changes with rows of an earlier time than the given one. */
  async #fingerprintAt(time: Timestamp): Promise<string> {
    const { versions } = this.#database;
    const rows = TABLES.map((table) => versions.ofRows(table) ?? "").join(" ");
    const counts = await this.#database.rows<{ changes: bigint; reports: bigint }>(
      `SELECT (SELECT count(*) FROM history_nodes WHERE changed <= $1) AS changes,
        (SELECT count(*) FROM reports WHERE producer_timestamp <= $1) AS reports`,
      [{ micros: time }],
    );
    return `${rows} ${counts.map(({ changes, reports }) => `${changes} ${reports}`).join("")}`;
  }

  #make(time: Timestamp): PastState {
    const database = overlaid(this.#database, pastTables(time, ++this.#generation));
    const now = this.#options.clock.now();
    const { purgeHorizon } = this.#options;
    const clock: Clock = { now: () => time, isFixed: true };
    const queries = new Queries(database, {
      ...this.#options,
      dictionaries: pastDictionaries,
      clock,
      purgeHorizon: () => purgeHorizon() - now + time,
    });
    return { queries, database, clock };
  }
}
