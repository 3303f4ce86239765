import { CensusError } from "../../errors.ts";
import type { FollowingStore, LogPosition } from "../entry.ts";
import { admit, checkFound, FORMAT, type LogSettings, type LogState, refused } from "./membership.ts";
import type { Connection } from "./connection.ts";

/** The table of the log, by the day on which an entry was added. Other names begin with it. */
export const LOG = "census_command_log";

/** SQL that waits until nobody else adds entries, and lets nobody do so before the end of the transaction. */
export const LOCK = "pg_advisory_xact_lock(1128616531, 1)";

/**
 * SQL whose commit waits until standbys have all that its server has, where commits wait for standbys: a server that was killed and
 * runs again shows entries that no standby may have, and that are lost if one takes over.
 */
export const STANDBYS = "pg_logical_emit_message(true, 'census', '')";

/** Milliseconds for a statement that others may delay. */
export const PATIENCE = 15_000;

/**
 * - `state` has one row: the identity of the log; the store that it began with, or `empty`; the settings that decide what is
 *   stored; the last entry that is not kept any more.
 * - `turns` has the last run of each periodic job.
 * - `staged` has commands that are added together, while they arrive.
 * - `servers` has how far each server has stored the log, and when it said so.
 * - `fingerprints` has what servers had stored at a position, by which they are compared.
 */
const tables = [
  `CREATE TABLE IF NOT EXISTS ${LOG} (
    seq bigint NOT NULL, day date NOT NULL, mark uuid NOT NULL, kind text NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (seq, day)
  ) PARTITION BY RANGE (day)`,
  // What is added is compressed already.
  `ALTER TABLE ${LOG} ALTER COLUMN record SET STORAGE EXTERNAL`,
  `CREATE SEQUENCE IF NOT EXISTS ${LOG}_seq`,
  `CREATE TABLE IF NOT EXISTS ${LOG}_state (
    identity uuid NOT NULL, format integer NOT NULL, base text, settings jsonb,
    forgotten bigint NOT NULL DEFAULT 0, forgotten_mark uuid
  )`,
  `CREATE TABLE IF NOT EXISTS ${LOG}_turns (job text PRIMARY KEY, number bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ${LOG}_staged (
    archive uuid NOT NULL, place bigint NOT NULL, mark uuid NOT NULL, record bytea NOT NULL,
    added timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (archive, place)
  )`,
  `ALTER TABLE ${LOG}_staged ALTER COLUMN record SET STORAGE EXTERNAL`,
  `CREATE TABLE IF NOT EXISTS ${LOG}_servers (
    name text PRIMARY KEY, version text NOT NULL, position bigint NOT NULL, problem text, seen timestamptz NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ${LOG}_fingerprints (
    position bigint NOT NULL, server text NOT NULL, schema integer NOT NULL, tables jsonb NOT NULL,
    noted timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (position, server)
  )`,
];

/** The state of the log in a database. */
interface State extends LogState {
  readonly forgottenMark: string | null;
}

/**
 * Creates the tables of a new log.
 * @returns its identity
 * @throws CensusError "conflict" if the database has a log already
 */
export async function createLog(connection: Connection): Promise<string> {
  return connection.transaction(async () => {
    await connection.rows(`SELECT ${LOCK}`, [], PATIENCE);
    if (await hasLog(connection)) {
      const { identity } = await stateOf(connection);
      throw new CensusError("conflict", `the database has a command log already: ${identity}`);
    }
    return (await stateOf(connection)).identity;
  }, PATIENCE);
}

/** What a log has besides its entries. @throws CensusError "bad-file" if the database has none */
export async function existingState(connection: Connection): Promise<LogState> {
  if (await hasLog(connection)) return stateOf(connection);
  throw new CensusError("bad-file", "the database has no command log; census command-log create makes one");
}

/** Whether a database has a log. */
async function hasLog(connection: Connection): Promise<boolean> {
  const [found] = await connection.rows<{ exists: boolean }>(
    `SELECT to_regclass('${LOG}_state') IS NOT NULL AS exists`,
    [],
    PATIENCE,
  );
  return found?.exists === true;
}

/**
 * Creates the tables if there are none, and checks that a store may follow the log.
 * @returns the identity of the log
 * @throws CensusError "bad-file" if it may not
 */
export async function join(connection: Connection, store: FollowingStore, settings: LogSettings): Promise<string> {
  return connection.transaction(async () => {
    await connection.rows(`SELECT ${LOCK}`, [], PATIENCE);
    const state = await stateOf(connection);
    const [log] = await connection.rows<{ used: boolean }>(`SELECT EXISTS (SELECT FROM ${LOG}) AS used`, [], PATIENCE);
    const base = admit(state, log?.used === true, store, settings);
    await connection.rows(
      `UPDATE ${LOG}_state SET base = $1, settings = coalesce(settings, $2::jsonb)`,
      [base, JSON.stringify(settings)],
      PATIENCE,
    );
    return state.identity;
  }, PATIENCE);
}

async function stateOf(connection: Connection): Promise<State> {
  if (!(await hasLog(connection))) {
    for (const statement of tables) await connection.rows(statement, [], PATIENCE);
    await connection.rows(`INSERT INTO ${LOG}_state VALUES (gen_random_uuid(), $1)`, [FORMAT], PATIENCE);
  }
  const [state] = await connection.rows<State & { readonly forgotten: string }>(
    `SELECT identity, format, base, settings, forgotten, forgotten_mark AS "forgottenMark" FROM ${LOG}_state`,
    [],
    PATIENCE,
  );
  if (state === undefined) throw refused(`its table ${LOG}_state is empty`);
  return { ...state, forgotten: Number(state.forgotten) };
}

/**
 * Checks that the log has the entries that were read from it.
 * @throws CensusError "bad-file" if it has lost them, or does not keep the next ones any more
 */
export async function checkPosition(connection: Connection, position: LogPosition, ms: number): Promise<void> {
  const [found] = await connection.rows<{
    identity: string;
    forgotten: string;
    forgottenMark: string | null;
    mark: string | null;
  }>(
    `SELECT identity, forgotten, forgotten_mark AS "forgottenMark", (SELECT mark FROM ${LOG} WHERE seq = $1) AS mark FROM ${LOG}_state`,
    [position.id],
    ms,
  );
  const { identity, forgotten = "0", forgottenMark = null, mark = null } = found ?? {};
  const at = { identity, forgotten: Number(forgotten), forgottenMark, mark };
  checkFound(at, position);
}

/**
 * Creates the tables of today and of the next day, and drops those of days that are not kept any more.
 * @param days that are kept besides the present one
 */
export async function turnDay(connection: Connection, days: number): Promise<void> {
  await connection.transaction(async () => {
    const [now] = await connection.rows<{ today: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today, ${LOCK}`,
      [],
      PATIENCE,
    );
    const today = Date.parse(now?.today ?? "");
    for (const day of [today, today + DAY]) {
      const [from, to] = [dayText(day), dayText(day + DAY)];
      const name = partition(day);
      await connection.rows(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${LOG} FOR VALUES FROM ('${from}') TO ('${to}')`,
        [],
        PATIENCE,
      );
    }
    const parts = await connection.rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${LOG}'::regclass ORDER BY 1`,
      [],
      PATIENCE,
    );
    const oldest = partition(today - days * DAY);
    for (const { name } of parts) {
      if (!/^census_command_log_\d{8}$/.test(name) || name >= oldest) continue;
      await connection.rows(
        `UPDATE ${LOG}_state SET (forgotten, forgotten_mark) = (SELECT seq, mark FROM ${name} ORDER BY seq DESC LIMIT 1)
          WHERE EXISTS (SELECT FROM ${name})`,
        [],
        PATIENCE,
      );
      await connection.rows(`DROP TABLE ${name}`, [], PATIENCE);
    }
    await connection.rows(`DELETE FROM ${LOG}_staged WHERE added < now() - interval '1 day'`, [], PATIENCE);
    // A server that was away for longer begins again with a copy.
    for (const [table, time] of [
      ["servers", "seen"],
      ["fingerprints", "noted"],
    ] as const) {
      const old = `now() - make_interval(days => $1)`;
      await connection.rows(`DELETE FROM ${LOG}_${table} WHERE ${time} < ${old}`, [days + 1], PATIENCE);
    }
  }, PATIENCE);
}

const DAY = 86_400_000;

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function partition(ms: number): string {
  return `${LOG}_${dayText(ms).replaceAll("-", "")}`;
}
