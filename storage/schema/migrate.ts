import type { Database } from "../engine/database.ts";
import { CensusError } from "../errors.ts";
import { initial } from "./migrations/001-initial.ts";
import { queueProgress } from "./migrations/002-queue-progress.ts";
import { foundFaster } from "./migrations/003-found-faster.ts";
import { factsByLength } from "./migrations/004-facts-by-length.ts";
import { storeIdentity } from "./migrations/005-store-identity.ts";
import { factsApart } from "./migrations/006-facts-apart.ts";
import { rowsApart } from "./migrations/007-rows-apart.ts";
import { history } from "./migrations/008-history.ts";
import { documentTimes } from "./migrations/009-document-times.ts";
import { logPosition } from "./migrations/010-log-position.ts";
import { factDigests } from "./migrations/011-fact-digests.ts";
import { digestNumbers } from "./migrations/012-digest-numbers.ts";
import { volatileLeaves } from "./migrations/013-volatile-leaves.ts";
import { compression } from "./migrations/014-compression.ts";
import { origins } from "./migrations/015-origins.ts";
import { failures } from "./migrations/016-failures.ts";
import { reportInterval } from "./migrations/017-report-interval.ts";

/** One step of the schema. Steps are numbered without gaps, one-way, and never edited once released. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
  /**
   * What is done after the statements, in transactions of its own, before the step counts as applied. It continues where it was
   * interrupted; the statements are run again then.
   */
  readonly fill?: (database: Database, onProgress: (message: string) => void) => Promise<void>;
}

export const migrations: readonly Migration[] = [
  initial,
  queueProgress,
  foundFaster,
  factsByLength,
  storeIdentity,
  factsApart,
  rowsApart,
  history,
  documentTimes,
  logPosition,
  factDigests,
  digestNumbers,
  volatileLeaves,
  compression,
  origins,
  failures,
  reportInterval,
];

/** The schema version this program writes. */
export const schemaVersion: number = migrations.at(-1)?.version ?? 0;

const versions =
  "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, name VARCHAR NOT NULL, applied TIMESTAMP NOT NULL)";

/** Statements that only move rows from one table to another. */
const moving = /^INSERT INTO \w+\s+SELECT\s/;

/**
 * All steps in one script, for a new store that is discarded when the script fails. There are no rows to move, and
 * planning that would take as long as creating the tables.
 */
export function schemaScript(steps: readonly Migration[] = migrations): string {
  const made = steps.flatMap(({ statements }) => statements.filter((statement) => !moving.test(statement)));
  const rows = steps.map(({ version, name }) => `(${version}, '${name.replaceAll("'", "''")}', now()::TIMESTAMP)`);
  const noted = `INSERT INTO schema_migrations VALUES ${rows.join(", ")}`;
  return ["BEGIN TRANSACTION", versions, ...made, noted, "COMMIT"].join(";\n");
}

/** Nothing has been read of the tables, so that it need not be known which of them a step writes. */
const anyTables: readonly string[] = [];

/**
 * Migrates a store to {@link schemaVersion}, each step in a transaction of its own.
 * @param mayMigrate whether an older store may be changed; a new one is always created
 * @returns the applied versions, oldest first
 * @throws CensusError "bad-file" when the store was written by a newer program, or by an older one and may not be
 *   changed
 */
export async function migrate(
  database: Database,
  {
    steps = migrations,
    mayMigrate = true,
    onProgress = () => undefined,
  }: { steps?: readonly Migration[]; mayMigrate?: boolean; onProgress?: (message: string) => void } = {},
): Promise<number[]> {
  const newest = steps.at(-1)?.version ?? 0;
  await checkOwnTables(database);
  await database.execute(versions);
  const found = await versionOf(database);
  checkNotNewer(database, found, newest);
  if (found > 0 && found < newest && !mayMigrate) {
    throw new CensusError(
      "bad-file",
      `${database.place}: the store has schema version ${found}, this program needs ${newest}, and the setting migrate forbids the change`,
    );
  }
  const applied: number[] = [];
  for (const step of steps) {
    if (step.version <= found) continue;
    // As one script, because each call to the engine takes as long as a statement.
    const script = step.statements.join(";\n");
    if (step.fill !== undefined) {
      await database.transaction((tx) => tx.execute(anyTables, script));
      await step.fill(database, onProgress);
    }
    await database.transaction(async (tx) => {
      if (step.fill === undefined && script !== "") await tx.execute(anyTables, script);
      await tx.execute("schema_migrations", "INSERT INTO schema_migrations VALUES ($1, $2, now()::TIMESTAMP)", [
        step.version,
        step.name,
      ]);
    });
    applied.push(step.version);
  }
  return applied;
}

/**
 * Checks a store that may not be changed.
 * @throws CensusError "bad-file" when it has another version than {@link schemaVersion}, or is not a store
 */
export async function checkVersion(database: Database): Promise<void> {
  const found = await versionOf(database).catch((error: unknown) => {
    throw new CensusError("bad-file", `${database.place}: is not a Census store`, { cause: error });
  });
  checkNotNewer(database, found, schemaVersion);
  if (found === schemaVersion) return;
  throw new CensusError(
    "bad-file",
    `${database.place}: the store has schema version ${found}, this program needs ${schemaVersion}; census serve migrates it, queries do not`,
  );
}

/** @throws CensusError "bad-file" for a database file with other tables */
async function checkOwnTables(database: Database): Promise<void> {
  const tables = await database.rows<{ name: string }>(
    "SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal",
  );
  if (tables.length === 0 || tables.some(({ name }) => name === "schema_migrations")) return;
  const names = tables.slice(0, 3).map(({ name }) => JSON.stringify(name));
  throw new CensusError(
    "bad-file",
    `${database.place}: is not a Census store: it contains other tables (${names.join(", ")}) and is not changed; name another directory`,
  );
}

async function versionOf(database: Database): Promise<number> {
  const [row] = await database.rows<{ version: number }>(
    "SELECT coalesce(max(version), 0)::INTEGER AS version FROM schema_migrations",
  );
  return row?.version ?? 0;
}

function checkNotNewer({ place }: Database, found: number, newest: number): void {
  if (found <= newest) return;
  throw new CensusError(
    "bad-file",
    `${place}: the store has schema version ${found}, this program knows versions up to ${newest}; open it with a newer census`,
  );
}
