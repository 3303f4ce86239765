import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

afterEach(() => void limitMemory(undefined));

/** Texts of 2 MB; all of them are in memory when the engine writes them. */
const TEXTS = 60;

it("a checkpoint that needs more memory than the limit gets more, and no data is lost", async () => {
  await using folder = await temporaryFolder();
  limitMemory(300_000_000);
  const path = join(folder.path, "census.duckdb");
  const database = await Database.open({ path });
  await database.execute("CREATE TABLE texts (number INTEGER, text VARCHAR)");
  const sql = "INSERT INTO texts SELECT $1::INTEGER, repeat(md5($1::VARCHAR), 65536)";
  let refused = 0;
  for (let number = 0; number < TEXTS;) {
    // A fault does not say whether the row is stored; it is looked for below.
    const isStored = await database
      .transaction((tx) => tx.execute("texts", sql, [number]))
      .then(
        () => true,
        () => false,
      );
    if (isStored) number++;
    else refused++;
    expect(refused).toBeLessThan(10);
  }
  let isWritten = false;
  for (let attempt = 0; attempt < 5 && !isWritten; attempt++) {
    isWritten = await database.checkpoint().catch(() => false);
  }
  expect(isWritten).toBe(true);
  const [found] = await database.rows<{ numbers: bigint }>("SELECT count(DISTINCT number) AS numbers FROM texts");
  expect(found?.numbers).toBe(BigInt(TEXTS));
  await database.close();
});

it("long rows are written to the file at once and do not stay in memory", async () => {
  await using folder = await temporaryFolder();
  limitMemory(512_000_000);
  const path = join(folder.path, "census.duckdb");
  const database = await Database.open({ path });
  await database.execute("CREATE TABLE texts (number INTEGER, text VARCHAR)");
  // Together more than half of what the engine may use.
  const sql = "INSERT INTO texts SELECT range, repeat(md5(range::VARCHAR), 250_000) FROM range(12)";
  await database.transaction((tx) => tx.execute("texts", sql));
  expect(statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0).toBeLessThan(1_000_000);
  expect(await database.rows("SELECT sum(length(text))::INTEGER AS sum FROM texts")).toEqual([{ sum: 96_000_000 }]);
  await database.close();
});
