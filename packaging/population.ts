import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { populationSubmissions } from "#cli/fixture/content.ts";
import { usualPopulation } from "#fixtures/base.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import { writeBase } from "#storage/schema/base.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { fixedClock, timestampOfMillis } from "#storage/time.ts";

/** Writes the usual population to a folder, as fixtures begin with it; the same bytes from the same commit. */
export async function writePopulation(folder: string): Promise<void> {
  const umask = process.umask();
  const directory = mkdtempSync(join(tmpdir(), "census-base-"));
  try {
    const now = timestampOfMillis(Date.parse(usualPopulation.baseTime));
    const store = await Store.open({ directory, clock: fixedClock(now), retention: keepEverything });
    await store.importAll(populationSubmissions(usualPopulation, now));
    await store.close();
    // A process with a store keeps its files from others; these are delivered.
    process.umask(umask);
    await writeBase(join(directory, databaseFile), folder);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
