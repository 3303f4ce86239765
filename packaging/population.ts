import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentOptions } from "#cli/content-options.ts";
import { populationSubmissions } from "#cli/fixture/content.ts";
import { usualPopulation } from "#fixtures/base.ts";
import { writeBase } from "#storage/schema/base.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { fixedClock, timestampOfMillis } from "#storage/time.ts";

/** Writes the default population to a directory; reproducible: the same bytes from the same commit. */
export async function writePopulation(folder: string): Promise<void> {
  const umask = process.umask();
  const directory = mkdtempSync(join(tmpdir(), "census-base-"));
  try {
    const now = timestampOfMillis(Date.parse(usualPopulation.baseTime));
    const store = await Store.open({ ...contentOptions, directory, clock: fixedClock(now) });
    await store.importAll(populationSubmissions(usualPopulation, now));
    await store.close();
    // The process has a restrictive umask; these files are delivered to all users.
    process.umask(umask);
    await writeBase(join(directory, databaseFile), folder);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
