import { randomUUID } from "node:crypto";
import { CensusError } from "../../errors.ts";
import type { Timestamp } from "../../time.ts";
import { insert } from "./appender.ts";
import { type Connection, SERVER } from "./connection.ts";
import { packedMaintenance } from "./packed-maintenance.ts";
import { listServers, type ServerRow } from "./servers.ts";
import { hasLog, LOCK, LOG, type LogSettings, PATIENCE, type State, stateOf, turnDay } from "./tables.ts";

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
  /** Whether PostgreSQL waits for a standby before it acknowledges. */
  readonly isSynchronous: boolean;
  /** Null: no server has followed it. */
  readonly settings: LogSettings | null;
  readonly servers: readonly ServerRow[];
}

/** @throws CensusError "bad-file" if the database has no log */
export async function figuresOf(connection: Connection): Promise<LogFigures> {
  const { identity, forgotten, settings } = await existing(connection);
  const [row] = await connection.rows<{
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
  return {
    identity,
    head: Number(row?.head ?? forgotten),
    forgotten,
    days: row?.first == null || row.last === null ? null : [row.first, row.last],
    bytes: Number(row?.bytes ?? 0),
    isSynchronous: waits && row?.standbys !== "",
    settings,
    servers: await listServers(connection),
  };
}

/**
 * Adds an entry at which all servers note what they have stored.
 * @param days for which entries are kept
 * @param asOf the time of the request
 * @returns the position
 */
export async function requestComparison(connection: Connection, days: number, asOf: Timestamp): Promise<number> {
  await existing(connection);
  await turnDay(connection, days);
  const mark = randomUUID();
  const record = packedMaintenance({ asOf, change: { kind: "compare" } });
  const added = await insert(connection, [{ mark, kind: "maintenance", record }]);
  return added.get(mark) ?? 0;
}

/**
 * Changes the settings that decide what is stored. No server may run, and all must be at the end of the log: what comes
 * after it is stored with the new settings everywhere.
 * @throws CensusError "conflict" if servers run, or have not stored all of it
 */
export async function changeSettings(connection: Connection, settings: LogSettings): Promise<void> {
  await connection.transaction(async () => {
    await connection.rows(`SELECT ${LOCK}`, [], PATIENCE);
    const { head, servers } = await figuresOf(connection);
    const [running] = await connection.rows<{ count: number }>(
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
      [SERVER],
      PATIENCE,
    );
    if ((running?.count ?? 0) > 0) {
      throw new CensusError("conflict", `servers are connected to the log; stop all of them first: ${names(servers)}`);
    }
    const late = servers.filter(({ position }) => position < head);
    if (late.length > 0) {
      throw new CensusError(
        "conflict",
        `not all servers have stored the log up to ${head}: ${late.map(({ name, position }) => `${name} is at ${position}`).join(", ")}; ` +
          "start them with their present settings until they have, or remove those that will not come back: census command-log forget NAME",
      );
    }
    await connection.rows(`UPDATE ${LOG}_state SET settings = $1::jsonb`, [JSON.stringify(settings)], PATIENCE);
  }, PATIENCE);
}

/**
 * Removes a server from the list of those that follow the log.
 * @throws CensusError "bad-input" if there is none with this name
 */
export async function forgetServer(connection: Connection, name: string): Promise<void> {
  await existing(connection);
  const removed = await connection.rows(`DELETE FROM ${LOG}_servers WHERE name = $1 RETURNING name`, [name], PATIENCE);
  if (removed.length > 0) return;
  throw new CensusError(
    "bad-input",
    `no server ${name} follows the log; there are: ${names(await listServers(connection))}`,
  );
}

async function existing(connection: Connection): Promise<State> {
  if (await hasLog(connection)) return stateOf(connection);
  throw new CensusError("bad-file", "the database has no command log; census command-log create makes one");
}

function names(servers: readonly ServerRow[]): string {
  return servers.map(({ name }) => name).join(", ");
}
