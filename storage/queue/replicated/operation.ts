import { randomUUID } from "node:crypto";
import { CensusError } from "../../errors.ts";
import type { Timestamp } from "../../time.ts";
import type { LogPosition } from "../entry.ts";
import { type Address, placeOf } from "./address.ts";
import { insert } from "./appender.ts";
import { Cluster } from "./cluster.ts";
import { type Connection, SERVER } from "./connection.ts";
import type { LogSettings } from "./membership.ts";
import { packedMaintenance } from "./packed-maintenance.ts";
import { type FingerprintRow, fingerprintsAt, listServers, type ServerRow } from "./registry.ts";
import { checkPosition, createLog, existingState, LOCK, LOG, PATIENCE, turnDay } from "./tables.ts";

/** A log as its operator sees it. */
export interface LogFigures {
  readonly identity: string;
  /** The id of the last entry; 0: there is none. */
  readonly head: number;
  /** Entries up to this id are not kept any more. */
  readonly forgotten: number;
  /** The first and the last UTC day of which there are entries, `2026-11-20`; null: there are none. */
  readonly days: readonly [string, string] | null;
  readonly bytes: number;
  /** Whether an entry is acknowledged only once more than one server of the log has it. */
  readonly isSynchronous: boolean;
  /** When entries are acknowledged, for people: `wait for a standby`. */
  readonly commits: string;
  /** Null: no server has followed it. */
  readonly settings: LogSettings | null;
  readonly servers: readonly ServerRow[];
}

/** What an operator does with a log, over one connection. Without a log, all but {@link create} throw CensusError "bad-file". */
export class LogOperation implements AsyncDisposable {
  /** The address, without secrets. */
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
  static async open(address: Address, days: number): Promise<LogOperation> {
    // Otherwise than servers, which must not run when settings are changed.
    const connection = await new Cluster(address).connect({ program: "census command-log" });
    return new LogOperation(connection, placeOf(address), days);
  }

  /** Creates the log. @returns its identity. @throws CensusError "conflict" if there is one already */
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

  /** All servers that have followed the log within its retention, by their names. */
  async servers(): Promise<readonly ServerRow[]> {
    await existingState(this.#connection);
    return listServers(this.#connection);
  }

  /** @throws CensusError "bad-file" if the log has lost what was read from it, or does not keep the next entries any more */
  async checkPosition(position: LogPosition): Promise<void> {
    await checkPosition(this.#connection, position, PATIENCE);
  }

  /**
   * Adds an entry at which all servers note what they have stored.
   * @param asOf the time of the request
   * @returns the position
   */
  async requestComparison(asOf: Timestamp): Promise<number> {
    await existingState(this.#connection);
    await turnDay(this.#connection, this.#days);
    const mark = randomUUID();
    const record = packedMaintenance({ asOf, change: { kind: "compare" } });
    const added = await insert(this.#connection, [{ mark, kind: "maintenance", record }]);
    return added.get(mark) ?? 0;
  }

  /** What servers have noted for a position, by their names. */
  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#connection, position);
  }

  /**
   * Changes the settings that decide what is stored. No server may run, and all must be at the end of the log: what comes
   * after it is stored with the new settings everywhere.
   * @throws CensusError "conflict" if servers run, or have not stored all of it
   */
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

  /**
   * Removes a server from the list of those that follow the log.
   * @throws CensusError "bad-input" if there is none with this name
   */
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

/** @throws CensusError "conflict" naming the servers that have not stored all of a log */
function checkAllStored({ head, servers }: Pick<LogFigures, "head" | "servers">): void {
  const late = servers.filter(({ position }) => position < head);
  if (late.length === 0) return;
  throw new CensusError(
    "conflict",
    `not all servers have stored the log up to ${head}: ${late.map(({ name, position }) => `${name} is at ${position}`).join(", ")}; ` +
      "start them with their present settings until they have, or remove those that will not come back: census command-log forget NAME",
  );
}

/** The error where servers must not run. */
function serversRun(servers: readonly ServerRow[]): CensusError {
  return new CensusError("conflict", `servers are connected to the log; stop all of them first: ${names(servers)}`);
}

/** The error where there is no server with a name. */
function unknownServer(name: string, servers: readonly ServerRow[]): CensusError {
  return new CensusError("bad-input", `no server ${name} follows the log; there are: ${names(servers)}`);
}

function names(servers: readonly ServerRow[]): string {
  return servers.map(({ name }) => name).join(", ");
}
