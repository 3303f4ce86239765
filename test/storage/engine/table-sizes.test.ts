import { expect, it, vi } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { TableSizes } from "#storage/engine/table-sizes.ts";

it("finds large tables soon after the first look, and does not read sizes each time", async () => {
  const database = await Database.open({
    tables: "CREATE TABLE few AS FROM range(245760); CREATE TABLE many AS FROM range(245761)",
  });
  const rows = vi.spyOn(database, "rows");
  const sizes = new TableSizes(database);
  expect(sizes.isLarge("many")).toBe(false);
  await vi.waitFor(() => expect(sizes.isLarge("many")).toBe(true));
  expect(sizes.isLarge("few")).toBe(false);
  expect([sizes.rowsOf("many"), sizes.rowsOf("missing")]).toEqual([245_761, undefined]);
  expect(sizes.isLarge("missing")).toBe(false);
  expect(rows).toHaveBeenCalledTimes(1);
  await database.close();
});

it("takes tables for small while the store is being closed", async () => {
  const database = await Database.open({});
  await database.close();
  const sizes = new TableSizes(database);
  expect(sizes.isLarge("many")).toBe(false);
  await new Promise(setImmediate);
  expect(sizes.isLarge("many")).toBe(false);
});
