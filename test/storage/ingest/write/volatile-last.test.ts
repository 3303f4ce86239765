import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { GROUP_ROWS } from "#storage/engine/table-sizes.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

const NODES = 20;

function values(seconds: number) {
  const used = `${String(seconds)}.00 GiB`;
  return {
    uptime_seconds: seconds,
    kernel: "Linux",
    memory: { system: { total: "16.00 GiB", total_bytes: 17_179_869_184, used } },
    disks: {
      sda: { model: "a disk", serial: `the number ${seconds}`, size: "931.51 GiB", size_bytes: 1_000_204_886_016 },
    },
  };
}

it("volatile rows of a batch are stored after all others", async () => {
  const database = await openDatabase({});
  const store = await Store.over(database, { clock: fixedClock(NOW) });
  await Promise.all(Array.from({ length: NODES }, (_, i) => store.submit(a.facts(`web${i}`, { values: values(i) }))));
  const names = (table: string) => database.rows<{ name: string }>(`SELECT name FROM ${table} ORDER BY rowid`);
  const times = (name: string) => Array.from({ length: NODES }, () => ({ name }));
  expect(await names("short_facts")).toEqual([...times("kernel"), ...times("uptime_seconds")]);
  expect(await names("long_facts")).toEqual([...times("disks"), ...times("memory")]);
  const leaves = await database.rows<{ path: string }>(
    "SELECT path_json AS path FROM fact_leaves l JOIN fact_paths p ON p.id = l.path_id ORDER BY l.rowid",
  );
  const isVolatile = leaves.map(({ path }) => path === '["uptime_seconds"]' || path === '["memory","system","used"]');
  expect(isVolatile).toEqual([...Array<boolean>(NODES * 7).fill(false), ...Array<boolean>(NODES * 2).fill(true)]);
  await store.close();
});

const ROWS = 8 * GROUP_ROWS;

it("the engine keeps little memory for deleted rows that lie together, and much for those that do not", async () => {
  await using folder = await temporaryFolder();
  const kept = async (name: string, deleted: string): Promise<number> => {
    const database = await Database.open({ path: join(folder.path, `${name}.duckdb`) });
    await database.execute(`CREATE TABLE facts AS SELECT range::INTEGER AS id FROM range(${ROWS})`);
    await database.checkpoint();
    const used = async (): Promise<number> => {
      const sql = "SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory()";
      return (await database.rows<{ bytes: number }>(sql))[0]?.bytes ?? NaN;
    };
    const before = await used();
    await database.execute(`DELETE FROM facts WHERE ${deleted}`);
    await database.checkpoint();
    const after = await used();
    await database.close();
    return after - before;
  };
  const apart = await kept("apart", "id % 15 = 0");
  const together = await kept("together", `id >= ${(ROWS * 14) / 15}`);
  expect(apart).toBeGreaterThan(together * 5);
});
