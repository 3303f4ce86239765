import type { ContentAt } from "../entry.ts";
import type { Cluster } from "./cluster.ts";
import type { Connection } from "./connection.ts";
import { LOG, PATIENCE } from "./tables.ts";

/** What is known of a server that follows a log. */
export interface ServerRow {
  /** The name of its machine and its data directory. */
  readonly name: string;
  readonly version: string;
  readonly position: number;
  readonly problem: string | null;
  /** Seconds since it said so. */
  readonly silence: number;
}

/** What a server had stored at a position. */
export interface FingerprintRow {
  readonly server: string;
  readonly schema: number;
  readonly tables: Readonly<Record<string, string>>;
}

/** Milliseconds for noting how far a server is. */
const BRIEF = 5000;

/** The tables in which servers note how far they are, and what they had stored. */
export class Registry {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(cluster: Cluster): Promise<Registry> {
    const connection = await cluster.connect();
    // What is lost with a server is noted again.
    await connection.rows("SET synchronous_commit = local", [], BRIEF);
    return new Registry(connection);
  }

  get hasEnded(): boolean {
    return this.#connection.hasEnded;
  }

  /** Notes how far a server is. @returns the id of the last entry of the log; 0: there is none */
  async say({ name, version, position, problem }: Omit<ServerRow, "silence">): Promise<number> {
    void this.#connection.endIfSucceeded();
    const [found] = await this.#connection.rows<{ head: string | null }>(
      `INSERT INTO ${LOG}_servers VALUES ($1, $2, $3, $4, now()) ON CONFLICT (name) DO UPDATE
        SET version = excluded.version, position = excluded.position, problem = excluded.problem, seen = excluded.seen
        RETURNING (SELECT max(seq) FROM ${LOG}) AS head`,
      [name, version, position, problem],
      BRIEF,
    );
    return Number(found?.head ?? 0);
  }

  /** Notes what a server had stored at a position. */
  async note(server: string, { position, schema, tables }: ContentAt): Promise<void> {
    await this.#connection.rows(
      `INSERT INTO ${LOG}_fingerprints VALUES ($1, $2, $3, $4) ON CONFLICT (position, server) DO UPDATE
        SET schema = excluded.schema, tables = excluded.tables, noted = now()`,
      [position, server, schema, JSON.stringify(tables)],
      BRIEF,
    );
  }

  /** What servers have noted for a position, by their names. */
  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#connection, position);
  }

  /** The database's list of connections shows that the server has ended. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#connection.destroy();
  }
}

/** What servers have noted for a position, by their names. */
export async function fingerprintsAt(connection: Connection, position: number): Promise<FingerprintRow[]> {
  return connection.rows<FingerprintRow>(
    `SELECT server, schema, tables FROM ${LOG}_fingerprints WHERE position = $1 ORDER BY server`,
    [position],
    PATIENCE,
  );
}

/** All servers that have followed the log within its retention, by their names. */
export async function listServers(connection: Connection): Promise<ServerRow[]> {
  const rows = await connection.rows<ServerRow & { readonly position: string; readonly silence: string }>(
    `SELECT name, version, position, problem, extract(epoch FROM now() - seen) AS silence FROM ${LOG}_servers ORDER BY name`,
    [],
    PATIENCE,
  );
  return rows.map((row) => ({ ...row, position: Number(row.position), silence: Number(row.silence) }));
}
