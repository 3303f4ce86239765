import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { GROUP_ROWS } from "#storage/engine/file-layout.ts";
import { limitMemory, memoryBudget } from "#storage/memory/budget.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { memoryOfTables } from "./memory-of-tables.ts";

const ROWS = 32 * GROUP_ROWS;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
beforeEach(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, "census.duckdb");
  const made = await Database.open({ path });
  await made.execute(`CREATE TABLE things AS SELECT range::INTEGER AS id FROM range(${ROWS})`);
  await made.execute("CREATE TABLE others (id INTEGER, text VARCHAR)");
  await made.checkpoint();
  await made.close();
  // The engine gets 40 MB of it.
  limitMemory(200_000_000);
  database = await Database.open({ path });
});
afterEach(async () => {
  await database.close();
  limitMemory(undefined);
  await folder[Symbol.asyncDispose]();
});

/** Deletes a row of every 2,048, of which the engine keeps 16 KB each. */
async function deleteSome(): Promise<void> {
  await database.transaction((tx) => tx.execute("things", "DELETE FROM things WHERE id % 2048 = 7"));
}

it("memory for changed rows is free again some checkpoints later, while others read", async () => {
  await deleteSome();
  expect(await memoryOfTables(database)).toBeGreaterThan(memoryBudget().engine * 0.6);
  const reading = new AbortController();
  let read = 0;
  const others = (async () => {
    while (!reading.signal.aborted) {
      expect(await database.rows("SELECT count(*)::INTEGER AS count FROM others WHERE id < 0")).toEqual([{ count: 0 }]);
      read++;
    }
  })();
  for (let checkpoint = 0; checkpoint < 16; checkpoint++) expect(await database.checkpoint()).toBe(true);
  reading.abort();
  await others;
  expect(read).toBeGreaterThan(10);
  expect(await memoryOfTables(database)).toBeLessThan(memoryBudget().engine * 0.2);
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM things")).toEqual([{ count: ROWS - ROWS / 2048 }]);
});

it("a transaction that got no memory because of changed rows gets it the next time", async () => {
  await deleteSome();
  await database.checkpoint();
  const texts = "SELECT range, repeat(md5(range::VARCHAR), 32768) FROM range(16)";
  const insert = async (): Promise<void> =>
    database.transaction((tx) => tx.execute("others", `INSERT INTO others ${texts}`));
  await expect(insert()).rejects.toThrow("Out of Memory");
  await insert();
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM others")).toEqual([{ count: 16 }]);
});
