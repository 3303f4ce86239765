import { keepEverything } from "#storage/lifecycle/retention.ts";
import { Store } from "#storage/store.ts";
import { type Clock, systemClock } from "#storage/time.ts";
import { archiveClock, importArchive, totalOf } from "../import-archive.ts";

/** An archive in memory, ready to be asked. */
export interface OpenedArchive {
  readonly store: Store;
  /** Commands in it. */
  readonly commands: number;
}

export interface OpenArchiveOptions {
  /** A clock to go by instead of the archive's own time. */
  readonly clock?: Clock | undefined;
}

/**
 * Takes an archive into memory. The clock stands at the archive's own time and nothing is too old to be kept, so that an
 * old export shows all that it holds.
 * @throws CensusError "bad-file" for an archive that cannot be read
 */
export async function openArchive(path: string, options: OpenArchiveOptions = {}): Promise<OpenedArchive> {
  const clock = options.clock ?? (await archiveClock(path)) ?? withoutTime(path);
  const store = await Store.open({ clock, retention: keepEverything });
  try {
    return { store, commands: totalOf(await importArchive(store, path)) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function withoutTime(path: string): Clock {
  process.stderr.write(`census: ${path} does not say when it was made: going by today's date (--now sets another)\n`);
  return systemClock;
}
