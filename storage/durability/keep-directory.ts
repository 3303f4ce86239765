import { Health, type HealthOptions } from "./health.ts";
import { Keeper, type KeeperOptions } from "./keeper.ts";
import type { OpenedDirectory } from "./open-directory.ts";

type Parts = HealthOptions & Pick<KeeperOptions, "progress" | "consumer">;

/**
 * Makes the queue keep commands until their data is in the database file, and watches that file.
 * @throws CensusError "unavailable" when the file of a directory without a note cannot be written
 */
export async function keepDirectory(opened: OpenedDirectory, parts: Parts): Promise<Health> {
  const { directory, store, isNoted } = opened;
  const { log, identity: queue = "", damaged } = opened.queue;
  const { database, progress, damages } = parts;
  await progress.read(database);
  damages.add(damaged.length);
  database.keeper = new Keeper({ ...parts, directory, path: database.place, log, store, queue });
  // Without a note, or with a damaged queue, the data of some commands may only be in the engine's log.
  if (!isNoted) await database.checkpoint();
  return new Health(parts);
}
