import { randomUUID } from "node:crypto";
import type { Timestamp } from "../../time.ts";
import type { LogPosition } from "../entry.ts";
import type { LogSettings } from "../shared/membership.ts";
import { checkAllStored, type LogFigures, type LogOperation, serversRun, unknownServer } from "../shared/operation.ts";
import { packedMaintenance } from "../shared/packed-maintenance.ts";
import type { FingerprintRow, ServerRow } from "../shared/servers.ts";
import { type Address, placeOf } from "./address.ts";
import { insert } from "./appender.ts";
import { Cluster } from "./cluster.ts";
import { type Connection, SERVER } from "./connection.ts";
import { fingerprintsAt, listServers } from "./registry.ts";
import { checkPosition, createLog, existingState, LOCK, LOG, PATIENCE, turnDay } from "./tables.ts";

/** What an operator does with a log in a PostgreSQL database. */
export class PostgresOperation implements LogOperation {
  readonly place: string;
  readonly #connection: Connection;
  readonly #days: number;

  private constructor(connection: Connection, place: string, days: number) {
    this.#connection = connection;
    this.place = place;
    this.#days = days;
  }

  /**
   * @param days for which entries are kept
   * @throws CensusError "unavailable" where it cannot be reached
   */
  static async open(address: Address, days: number): Promise<PostgresOperation> {
    // Otherwise than servers, which must not run when settings are changed.
    const connection = await new Cluster(address).connect({ program: "census command-log" });
    return new PostgresOperation(connection, placeOf(address), days);
  }

  async create(): Promise<string> {
    const identity = await createLog(this.#connection);
    await turnDay(this.#connection, this.#days);
    return identity;
  }

  async figures(): Promise<LogFigures> {
    const { identity, forgotten, settings } = await existingState(this.#connection);
    const [row] = await this.#connection.rows<{
      head: string | null;
      first: string | null;
      last: string | null;
      bytes: string;
      standbys: string;
      commit: string;
    }>(
      `SELECT max(seq) AS head, min(day)::text AS first, max(day)::text AS last,
          (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = '${LOG}'::regclass) AS bytes,
          current_setting('synchronous_standby_names') AS standbys, current_setting('synchronous_commit') AS commit
        FROM ${LOG}`,
      [],
      PATIENCE,
    );
    const waits = ["on", "remote_write", "remote_apply"].includes(row?.commit ?? "");
    const isSynchronous = waits && row?.standbys !== "";
    return {
      identity,
      head: Number(row?.head ?? forgotten),
      forgotten,
      days: row?.first == null || row.last === null ? null : [row.first, row.last],
      bytes: Number(row?.bytes ?? 0),
      isSynchronous,
      commits: isSynchronous ? "wait for a standby" : "do not wait for a standby",
      settings,
      servers: await listServers(this.#connection),
    };
  }

  async servers(): Promise<readonly ServerRow[]> {
    await existingState(this.#connection);
    return listServers(this.#connection);
  }

  async checkPosition(position: LogPosition): Promise<void> {
    await checkPosition(this.#connection, position, PATIENCE);
  }

  async requestComparison(asOf: Timestamp): Promise<number> {
    await existingState(this.#connection);
    await turnDay(this.#connection, this.#days);
    const mark = randomUUID();
    const record = packedMaintenance({ asOf, change: { kind: "compare" } });
    const added = await insert(this.#connection, [{ mark, kind: "maintenance", record }]);
    return added.get(mark) ?? 0;
  }

  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#connection, position);
  }

  async changeSettings(settings: LogSettings): Promise<void> {
    const connection = this.#connection;
    await connection.transaction(async () => {
      await connection.rows(`SELECT ${LOCK}`, [], PATIENCE);
      const figures = await this.figures();
      const [running] = await connection.rows<{ count: number }>(
        "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
        [SERVER],
        PATIENCE,
      );
      if ((running?.count ?? 0) > 0) throw serversRun(figures.servers);
      checkAllStored(figures);
      await connection.rows(`UPDATE ${LOG}_state SET settings = $1::jsonb`, [JSON.stringify(settings)], PATIENCE);
    }, PATIENCE);
  }

  async forgetServer(name: string): Promise<void> {
    await existingState(this.#connection);
    const text = `DELETE FROM ${LOG}_servers WHERE name = $1 RETURNING name`;
    const removed = await this.#connection.rows(text, [name], PATIENCE);
    if (removed.length === 0) throw unknownServer(name, await listServers(this.#connection));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}
