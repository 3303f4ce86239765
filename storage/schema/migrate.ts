import type { Database } from "../engine/database.ts";
import { CensusError } from "../errors.ts";
import { initial } from "./migrations/001-initial.ts";
import { queueProgress } from "./migrations/002-queue-progress.ts";

/** One step of the schema. Steps are numbered without gaps, one-way, and never edited once released. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [initial, queueProgress];

/** The schema version this program writes. */
export const schemaVersion: number = migrations.at(-1)?.version ?? 0;

/**
 * Brings a store to {@link schemaVersion}, each step in a transaction of its own.
 * @param mayMigrate whether an older store may be changed; a new one is made in any case
 * @returns the versions that were applied, oldest first
 * @throws CensusError "bad-file" when the store was written by a newer program, or by an older one and may not be changed
 */
export async function migrate(
  database: Database,
  { steps = migrations, mayMigrate = true }: { steps?: readonly Migration[]; mayMigrate?: boolean } = {},
): Promise<number[]> {
  const newest = steps.at(-1)?.version ?? 0;
  await database.execute(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, name VARCHAR NOT NULL, applied TIMESTAMP NOT NULL)",
  );
  const [row] = await database.rows<{ version: number }>(
    "SELECT coalesce(max(version), 0)::INTEGER AS version FROM schema_migrations",
  );
  const found = row?.version ?? 0;
  if (found > newest) {
    throw new CensusError(
      "bad-file",
      `${database.place}: the store has schema version ${found}, this program knows versions up to ${newest}; open it with a newer census`,
    );
  }
  if (found > 0 && found < newest && !mayMigrate) {
    throw new CensusError(
      "bad-file",
      `${database.place}: the store has schema version ${found}, this program needs ${newest}, and the setting migrate forbids the change`,
    );
  }
  const applied: number[] = [];
  for (const step of steps) {
    if (step.version <= found) continue;
    await database.transaction(async (tx) => {
      for (const statement of step.statements) await tx.execute(statement);
      await tx.execute("INSERT INTO schema_migrations VALUES ($1, $2, now()::TIMESTAMP)", [step.version, step.name]);
    });
    applied.push(step.version);
  }
  return applied;
}
