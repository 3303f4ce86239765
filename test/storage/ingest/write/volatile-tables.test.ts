import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { GROUP_ROWS } from "#storage/engine/file-layout.ts";
import type { JsonObject } from "#storage/json.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW } from "#test/fixture-store.ts";

const NODES = ["web", "db"];

const values = (uptime_seconds: number, used: string, kernel: string): JsonObject => ({
  uptime_seconds,
  kernel,
  memory: { total: "16.00 GiB", system: { total: "15.00 GiB of the whole, as the firmware says", used } },
});

const factsSql = (table: string): string => `SELECT name AS what FROM ${table} WHERE value <> '' ORDER BY rowid`;
const leavesSql = (table: string): string =>
  `SELECT DISTINCT path_json AS what FROM ${table} JOIN fact_paths p ON p.id = path_id ORDER BY ALL`;

/** What is in each table: names of facts in the order of the rows, and paths of scalars. */
async function contents(database: Database): Promise<unknown> {
  const what = async (sql: string): Promise<string[]> =>
    (await database.rows<{ what: string }>(sql)).map((row) => row.what);
  return {
    short: await what(factsSql("short_facts")),
    long: await what(factsSql("long_facts")),
    steadyLeaves: await what(leavesSql("steady_leaves")),
    volatileLeaves: await what(leavesSql("volatile_leaves")),
  };
}

async function sent(store: Store, hour: number, facts: JsonObject): Promise<void> {
  const producer_timestamp = `2026-11-20T${hour}:00:00Z`;
  await Promise.all(NODES.map((node) => store.submit(a.facts(node, { producer_timestamp, values: facts }))));
}

const apart = {
  short: ["kernel", "kernel", "uptime_seconds", "uptime_seconds"],
  long: ["memory", "memory"],
  steadyLeaves: ['["kernel"]', '["memory","system","total"]', '["memory","total"]'],
  volatileLeaves: ['["memory","system","used"]', '["uptime_seconds"]'],
};

it("volatile scalars are in a table of their own, volatile values after all others of their batch", async () => {
  const database = await openDatabase({});
  const store = await Store.over(database, { clock: fixedClock(NOW) });
  await sent(store, 10, values(1, "1 GiB", "6"));
  expect(await contents(database)).toEqual(apart);
  const steadyRows = (): Promise<unknown> => database.rows("SELECT rowid, * FROM steady_leaves ORDER BY rowid");
  const before = await steadyRows();
  await sent(store, 11, values(2, "2 GiB", "6"));
  expect(await contents(database)).toEqual(apart);
  expect(await steadyRows()).toEqual(before);
  await sent(store, 12, values(3, "3 GiB", "7"));
  expect(await contents(database)).toEqual(apart);
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM fact_leaves")).toEqual([{ count: 10 }]);
  await store.close();
});

it("a volatile fact of which rows are kept apart puts all scalars of its node into the other table", async () => {
  const database = await openDatabase({});
  const store = await Store.over(database, { clock: fixedClock(NOW) });
  await sent(store, 10, values(1, "1 GiB", "6"));
  await sent(store, 11, values(2, "x".repeat(20_000), "6"));
  expect(await contents(database)).toMatchObject({
    long: ["memory", "memory"],
    steadyLeaves: [
      '["kernel"]',
      '["memory","system","total"]',
      '["memory","system","used"]',
      '["memory","total"]',
      '["uptime_seconds"]',
    ],
    volatileLeaves: [],
  });
  await sent(store, 12, values(3, "3 GiB", "6"));
  expect(await contents(database)).toEqual(apart);
  await store.close();
});

it("a store that records no history replaces all facts of a node, wherever they are", async () => {
  const database = await openDatabase({});
  const recording = await Store.over(database, { clock: fixedClock(NOW) });
  await sent(recording, 10, values(1, "1 GiB", "6"));
  const plain = await Store.over(database, { clock: fixedClock(NOW), retention: { historyTtl: 0n } });
  await sent(plain, 11, values(2, "2 GiB", "6"));
  expect(await contents(database)).toMatchObject({ volatileLeaves: [], long: ["memory", "memory"] });
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM facts")).toEqual([{ count: 6 }]);
  await plain.close();
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
