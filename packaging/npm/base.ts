import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { populationSubmissions } from "#cli/fixture/content.ts";
import { baseName, usualPopulation } from "#fixtures/base.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import { databaseFile, Store } from "#storage/store.ts";
import { fixedClock, timestampOfMillis } from "#storage/time.ts";

/** Writes the file of a store that has the usual population, for fixtures to begin with. */
export async function writeBase(folder: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "census-base-"));
  try {
    const now = timestampOfMillis(Date.parse(usualPopulation.baseTime));
    const store = await Store.open({ directory, clock: fixedClock(now), retention: keepEverything });
    await store.importAll(populationSubmissions(usualPopulation, now));
    await store.close();
    cpSync(join(directory, databaseFile), join(folder, baseName));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
