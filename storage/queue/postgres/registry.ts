import type { ContentAt } from "../entry.ts";
import { BRIEF, type FingerprintRow, type Registry, type ServerRow } from "../shared/servers.ts";
import type { Cluster } from "./cluster.ts";
import type { Connection } from "./connection.ts";
import { LOG, PATIENCE } from "./tables.ts";

/** The tables in which servers note how far they are, and what they had stored. */
export class PostgresRegistry implements Registry {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(cluster: Cluster): Promise<PostgresRegistry> {
    const connection = await cluster.connect();
    // What is lost with a server is noted again.
    await connection.rows("SET synchronous_commit = local", [], BRIEF);
    return new PostgresRegistry(connection);
  }

  get hasEnded(): boolean {
    return this.#connection.hasEnded;
  }

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

  async note(server: string, { position, schema, tables }: ContentAt): Promise<void> {
    await this.#connection.rows(
      `INSERT INTO ${LOG}_fingerprints VALUES ($1, $2, $3, $4) ON CONFLICT (position, server) DO UPDATE
        SET schema = excluded.schema, tables = excluded.tables, noted = now()`,
      [position, server, schema, JSON.stringify(tables)],
      BRIEF,
    );
  }

  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#connection, position);
  }

  /** The database's list of connections shows that the server has ended. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

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
