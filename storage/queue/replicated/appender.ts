import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { CensusError, messageOf } from "../../errors.ts";
import type { Turn } from "../../lifecycle/maintenance.ts";
import type { Cluster } from "./cluster.ts";
import { type Connection, sqlState } from "./connection.ts";
import type { Outage } from "./outage.ts";
import { LOCK, LOG, PATIENCE, STANDBYS, turnDay } from "./tables.ts";

/** What is added to a log. */
export interface NewRow {
  readonly mark: string;
  readonly kind: string;
  readonly record: Buffer;
}

/** Entries that are added together; further ones are in the next group. */
const MAX_GROUP = 256;
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

/** PostgreSQL's code where no partition has the day of a new row. */
const NO_PARTITION = "23514";

interface Pending {
  readonly row: NewRow;
  readonly resolve: (id: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Adds entries to the log, many per transaction. */
export class Appender {
  readonly outage: Outage;
  readonly #cluster: Cluster;
  /** Days for which entries are kept. */
  readonly #days: number;
  /** Milliseconds for which the log may be out of reach before commands are refused. */
  readonly #maxOutage: number;
  #pending: Pending[] = [];
  #waitingBytes = 0;
  #connection: Connection | undefined;
  #flushing: Promise<void> | undefined;
  /** Ends the wait before the next attempt to reach the log. */
  readonly #closing = new AbortController();

  constructor(
    cluster: Cluster,
    { days, maxOutage, outage }: { readonly days: number; readonly maxOutage: number; readonly outage: Outage },
  ) {
    this.#cluster = cluster;
    this.#days = days;
    this.#maxOutage = maxOutage;
    this.outage = outage;
  }

  /** @returns the id of the entry once the log has it. @throws CensusError "unavailable" */
  async append(row: NewRow): Promise<number> {
    const isFull = this.outage.problem !== undefined && this.#waitingBytes > 64 * 1024 * 1024;
    if (isFull || this.outage.ms > this.#maxOutage) throw this.outage.refusal();
    return new Promise((resolve, reject) => {
      this.#pending.push({ row, resolve, reject });
      this.#waitingBytes += row.record.length;
      this.#flushing ??= this.#flush();
    });
  }

  /**
   * Adds entries, all or none.
   * @returns their ids
   * @throws CensusError "unavailable"; errors of `rows`
   */
  async appendAll(rows: AsyncIterable<NewRow>): Promise<readonly number[]> {
    const archive = randomUUID();
    const connection = await this.#open();
    try {
      let place = 0;
      for await (const { mark, record } of rows) {
        const values = [archive, place++, mark, record];
        await connection.rows(`INSERT INTO ${LOG}_staged VALUES ($1, $2, $3, $4)`, values, PATIENCE);
      }
      return await connection.transaction(async () => {
        const added = await connection.rows<{ seq: string }>(
          `WITH locked AS MATERIALIZED (SELECT ${LOCK}), taken AS (
             DELETE FROM ${LOG}_staged WHERE archive = $1 RETURNING place, mark, record)
           INSERT INTO ${LOG} SELECT nextval('${LOG}_seq'), (now() AT TIME ZONE 'UTC')::date, mark, 'command', record
             FROM (SELECT taken.* FROM locked, taken ORDER BY place) AS ordered RETURNING seq`,
          [archive],
          PATIENCE + place * 10,
        );
        await connection.rows(`NOTIFY ${LOG}`, [], PATIENCE);
        return added.map(({ seq }) => Number(seq));
      }, PATIENCE);
    } catch (error) {
      if (error instanceof CensusError) throw error;
      throw new CensusError("unavailable", `no command was accepted: ${messageOf(error)}`, { cause: error });
    } finally {
      await connection.close();
    }
  }

  /** Adds an entry unless another process has taken the turn. @returns whether it was added. @throws CensusError "unavailable" */
  async appendTurn(row: NewRow, { job, number }: Turn): Promise<boolean> {
    const connection = await this.#open();
    try {
      return await connection.transaction(async () => {
        await connection.rows(`SELECT ${LOCK}`, [], PATIENCE);
        const taken = await connection.rows(
          `INSERT INTO ${LOG}_turns AS known VALUES ($1, $2)
            ON CONFLICT (job) DO UPDATE SET number = excluded.number WHERE known.number < excluded.number RETURNING job`,
          [job, number],
          PATIENCE,
        );
        if (taken.length === 0) return false;
        await insert(connection, [row]);
        return true;
      }, PATIENCE);
    } catch (error) {
      throw new CensusError("unavailable", `the command log: ${messageOf(error)}`, { cause: error });
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#flushing;
    await this.#connection?.close();
  }

  async #open(): Promise<Connection> {
    const connection = await this.#cluster.connect();
    try {
      await turnDay(connection, this.#days);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async #flush(): Promise<void> {
    // Lets every request of this turn of the event loop join the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0 || this.outage.problem !== undefined) {
      if (this.#pending.length === 0) {
        if (!(await this.#probe())) break;
        continue;
      }
      const group = this.#nextGroup();
      try {
        const ids = await this.#store(group.map(({ row }) => row));
        for (const { row, resolve, reject } of group) {
          const id = ids.get(row.mark);
          if (id === undefined) reject(new Error(`the command log has not added ${row.mark}`));
          else resolve(id);
        }
      } catch {
        for (const { reject } of group) reject(this.outage.refusal());
      }
      for (const { row } of group) this.#waitingBytes -= row.record.length;
    }
    this.#flushing = undefined;
  }

  /** Finds out after a while whether the log can be reached again. @returns false once this is closed */
  async #probe(): Promise<boolean> {
    try {
      // No command waits for it.
      await pause(1000, undefined, { signal: this.#closing.signal });
      await this.#connected();
      this.outage.ended();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.outage.began(error);
    }
    return !this.#closing.signal.aborted;
  }

  #nextGroup(): Pending[] {
    let [bytes, count] = [0, 0];
    for (const { row } of this.#pending) {
      if (count > 0 && (count === MAX_GROUP || bytes + row.record.length > MAX_GROUP_BYTES)) break;
      bytes += row.record.length;
      count++;
    }
    return this.#pending.splice(0, count);
  }

  /**
   * Adds rows, again and again where that fails. After a failure it is unknown whether the database has them: it is searched.
   * @returns their ids by their marks
   */
  async #store(rows: readonly NewRow[]): Promise<ReadonlyMap<string, number>> {
    for (let isInDoubt = false; ;) {
      try {
        const connection = await this.#connected();
        const ids = await (isInDoubt ? insertMissing(connection, rows) : insert(connection, rows));
        this.outage.ended();
        return ids;
      } catch (error) {
        if (sqlState(error) === NO_PARTITION && this.#connection !== undefined) {
          await turnDay(this.#connection, this.#days).catch((failure: unknown) => this.outage.began(failure));
          if (this.outage.problem === undefined) continue;
        }
        isInDoubt = true;
        this.outage.began(error);
        this.#connection?.destroy();
        if (this.#closing.signal.aborted || this.outage.ms > this.#maxOutage) throw error;
        await pause(250);
      }
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection?.hasEnded === false) return this.#connection;
    this.#connection = await this.#open();
    return this.#connection;
  }
}

/** Adds rows and returns their ids by their marks. One statement takes the lock, numbers the rows and is committed: the lock lasts as short as possible. */
export async function insert(connection: Connection, rows: readonly NewRow[]): Promise<ReadonlyMap<string, number>> {
  const values = rows.flatMap(({ mark, kind, record }) => [mark, kind, record]);
  const places = rows.map((_, row) => `(${row}, $${row * 3 + 1}::uuid, $${row * 3 + 2}, $${row * 3 + 3}::bytea)`);
  const added = await connection.rows<{ seq: string; mark: string }>(
    `WITH locked AS MATERIALIZED (SELECT ${LOCK}, pg_notify('${LOG}', ''))
      INSERT INTO ${LOG} SELECT nextval('${LOG}_seq'), (now() AT TIME ZONE 'UTC')::date, mark, kind, record
        FROM (SELECT given.* FROM locked, (VALUES ${places.join(", ")}) AS given (place, mark, kind, record)
          ORDER BY place) AS ordered RETURNING seq, mark`,
    values,
    PATIENCE,
  );
  return new Map(added.map(({ mark, seq }) => [mark, Number(seq)]));
}

/** Adds those of the rows that the log does not have: another connection may have added them before it ended. */
async function insertMissing(connection: Connection, rows: readonly NewRow[]): Promise<ReadonlyMap<string, number>> {
  return connection.transaction(async () => {
    // Waits for that connection. What it has added may have lost its standby.
    await connection.rows(`SELECT ${LOCK}, ${STANDBYS}`, [], PATIENCE);
    const found = await connection.rows<{ seq: string; mark: string }>(
      `SELECT seq, mark FROM ${LOG} WHERE day >= (now() AT TIME ZONE 'UTC')::date - 1 AND mark = ANY($1::uuid[])
        AND seq > coalesce((SELECT max(seq) FROM ${LOG}), 0) - 100000`,
      [rows.map(({ mark }) => mark)],
      PATIENCE,
    );
    const known = new Map(found.map(({ mark, seq }) => [mark, Number(seq)]));
    const missing = rows.filter(({ mark }) => !known.has(mark));
    if (missing.length === 0) return known;
    return new Map([...known, ...(await insert(connection, missing))]);
  }, PATIENCE);
}
