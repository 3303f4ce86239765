import { populationCommands, type PopulationOptions } from "#fixtures/population.ts";
import { stringifyJson } from "#storage/json.ts";
import type { Database } from "#storage/engine/database.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { time } from "#test/fixture-store.ts";

/** When the last runs of the population have just ended. */
export const POPULATION_TIME = "2026-11-20T12:00:00.000Z";

/** A store in memory with a generated population, oddities and corrective changes included. */
export async function generatedStore(options: Partial<PopulationOptions> = {}): Promise<Store> {
  return generatedStoreOver(await openDatabase({}), options);
}

/** The same over a database that was opened for it, which the store closes. */
export async function generatedStoreOver(database: Database, options: Partial<PopulationOptions> = {}): Promise<Store> {
  const store = await Store.over(database, { clock: fixedClock(time(POPULATION_TIME)), storesCorrectiveChange: true });
  await storePopulation(store, options);
  return store;
}

/** Stores the same population in a store. */
export async function storePopulation(store: Store, options: Partial<PopulationOptions> = {}): Promise<void> {
  const received = time(POPULATION_TIME);
  const commands = populationCommands({
    nodes: 40,
    seed: 3,
    reportsPerNode: 6,
    baseTime: POPULATION_TIME,
    factLeaves: 60,
    resources: 40,
    includeOddities: true,
    ...options,
  });
  async function* submissions(): AsyncGenerator<Parameters<Store["submit"]>[0]> {
    for (const { payload, ...command } of commands) yield { ...command, payload: stringifyJson(payload), received };
  }
  await store.importAll(submissions());
}
