import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { JsonObject } from "#storage/json.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW, rowsOf } from "#test/fixture-store.ts";

/** Sends a fact set, an hour later than the one before, to a store that has just been opened. @returns the recorded changes */
async function afterStart(
  directory: string,
  hour: number,
  values: JsonObject,
  { packages = [["ssl", "3.0", "apt"]], volatileFacts = [] as string[] } = {},
): Promise<unknown[]> {
  const store = await Store.open({ directory, clock: fixedClock(NOW), volatileFacts });
  const sent = { producer_timestamp: `2026-11-20T${hour}:00:00Z`, values, package_inventory: packages };
  await store.submit(a.facts("web-01", sent));
  const rows = [...(await rowsOf(store, "fact_changes")), ...(await rowsOf(store, "package_changes"))];
  await store.close();
  return rows;
}

/** Deletes stored facts and packages, so that recording them would show that they were read. */
async function deleteStored(directory: string): Promise<void> {
  const database = await Database.open({ path: join(directory, databaseFile) });
  for (const table of ["steady_leaves", "volatile_leaves", "node_packages"])
    await database.execute(`DELETE FROM ${table}`);
  await database.close();
}

it("what a node has stored is not read after a start if only volatile facts have changed", async () => {
  await using folder = await temporaryFolder();
  await afterStart(folder.path, 10, { kernel: "6", uptime: "1 day", none: [] });
  await deleteStored(folder.path);
  expect(await afterStart(folder.path, 11, { kernel: "6", uptime: "2 days", none: [] })).toEqual([]);
});

it("changes since before a start are recorded: of facts, of empty ones, of packages", async () => {
  await using folder = await temporaryFolder();
  await afterStart(folder.path, 10, { kernel: "6", uptime: "1 day", none: [] });
  const packages = [["ssl", "3.1", "apt"]];
  const changes = await afterStart(folder.path, 11, { kernel: "7", uptime: "2 days", none: {} }, { packages });
  const expected = [
    { what: "kernel", before: "6", after: "7" },
    { what: "none", before: [], after: {} },
    { before: "3.0", after: "3.1" },
  ];
  expect(changes).toHaveLength(expected.length);
  expect(changes).toEqual(expect.arrayContaining(expected.map((change): unknown => expect.objectContaining(change))));
});

it("a fact that was volatile before a start is compared after it", async () => {
  await using folder = await temporaryFolder();
  await afterStart(folder.path, 10, { kernel: "6", release: "1" }, { volatileFacts: ["release"] });
  expect(await afterStart(folder.path, 11, { kernel: "6", release: "2" })).toMatchObject([{ before: "1", after: "2" }]);
  expect(await afterStart(folder.path, 12, { kernel: "6", release: "3" }, { volatileFacts: ["release"] })).toHaveLength(
    1,
  );
});
