import type { LogPosition } from "../entry.ts";
import type { Cluster } from "./cluster.ts";
import type { Connection } from "./connection.ts";
import { checkPosition, LOCK, LOG, STANDBYS } from "./tables.ts";

/** Entries that are read together, at most, and their bytes. */
const MAX_PAGE = 256;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Milliseconds without an answer after which the connection is made anew. */
const SILENCE = 2000;

/** Bytes that a database is expected to send within a millisecond, at least. */
const BYTES_PER_MS = 1000;

interface Listed {
  readonly seq: string;
  readonly mark: string;
  readonly kind: string;
  readonly size: number;
}

/** An entry as the log has it. */
export interface LoggedRow {
  readonly id: number;
  readonly mark: string;
  /** `command` or `maintenance`; newer programs may know more. */
  readonly kind: string;
  readonly record: Buffer;
}

/** Some entries of a log, in its order. */
interface Page {
  readonly rows: readonly LoggedRow[];
  /** The id of the last entry that was seen in the log. */
  readonly head: number;
}

/** Reads the log over a connection that is notified of new entries. */
export class Source {
  readonly #connection: Connection;
  #head = 0;
  /** When there was a new entry, or other servers were looked at, the last time. */
  #looked = performance.now();

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @param wake is called when there may be new entries, or the connection has ended */
  static async open(cluster: Cluster, wake: () => void): Promise<Source> {
    const connection = await cluster.connect({ onNotification: wake, onEnd: wake });
    try {
      await connection.rows(`LISTEN ${LOG}`, [], SILENCE);
      // Under the lock, which one connection has that waits for a standby: others do not pile up behind it.
      await connection.rows(`WITH locked AS MATERIALIZED (SELECT ${LOCK}) SELECT ${STANDBYS} FROM locked`, [], SILENCE);
      return new Source(connection);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * Checks that the log has the entries that were read from it.
   * @throws CensusError "bad-file" if it has lost them, or does not keep the next ones any more
   */
  async check(position: LogPosition): Promise<void> {
    await checkPosition(this.#connection, position, SILENCE);
  }

  /** The next entries after an id, as far as they fit together. */
  async page(after: number): Promise<Page> {
    const connection = this.#connection;
    const listed = await connection.rows<Listed>(
      `SELECT seq, mark, kind, octet_length(record) AS size FROM ${LOG} WHERE seq > $1 ORDER BY seq LIMIT ${MAX_PAGE}`,
      [after],
      SILENCE,
    );
    let [bytes, count] = [0, 0];
    for (const { size } of listed) {
      if (count > 0 && bytes + size > MAX_PAGE_BYTES) break;
      bytes += size;
      count++;
    }
    this.#head = Math.max(this.#head, Number(listed.at(-1)?.seq ?? after));
    this.#lookForSuccessor(count > 0);
    const last = listed[count - 1];
    if (last === undefined) return { rows: [], head: this.#head };
    const found = await connection.rows<{ seq: string; record: Buffer }>(
      `SELECT seq, record FROM ${LOG} WHERE seq > $1 AND seq <= $2 ORDER BY seq`,
      [after, last.seq],
      SILENCE + bytes / BYTES_PER_MS,
    );
    if (listed.length === MAX_PAGE) await this.#lookForHead();
    const rows = found.flatMap(({ record }, index): LoggedRow[] => {
      const about = listed[index];
      return about === undefined ? [] : [{ id: Number(about.seq), mark: about.mark, kind: about.kind, record }];
    });
    return { rows, head: this.#head };
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#connection.destroy();
  }

  /** A server from which another has taken over unnoticed gets no entries any more. */
  #lookForSuccessor(hasEntries: boolean): void {
    const now = performance.now();
    // Another server may have taken over.
    if (!hasEntries && now - this.#looked < 5000) return;
    this.#looked = now;
    if (!hasEntries) void this.#connection.endIfSucceeded();
  }

  async #lookForHead(): Promise<void> {
    const [found] = await this.#connection.rows<{ head: string }>(`SELECT max(seq) AS head FROM ${LOG}`, [], SILENCE);
    this.#head = Math.max(this.#head, Number(found?.head ?? 0));
  }
}
