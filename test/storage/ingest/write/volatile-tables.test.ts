import { expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import type { JsonObject } from "#storage/json.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";

const NODES = ["web", "db"];

const values = (uptime_seconds: number, used: string, kernel: string): JsonObject => ({
  uptime_seconds,
  kernel,
  memory: { total: "16.00 GiB", system: { total: "15.00 GiB of the whole, as the firmware says", used } },
});

const factsSql = (table: string): string => `SELECT DISTINCT name AS what FROM ${table} WHERE value <> '' ORDER BY ALL`;
const leavesSql = (table: string): string =>
  `SELECT DISTINCT path_json AS what FROM ${table} JOIN fact_paths p ON p.id = path_id ORDER BY ALL`;

/** What is in each table: names of facts, and paths of scalars. */
async function contents(database: Database): Promise<unknown> {
  const what = async (sql: string): Promise<string[]> =>
    (await database.rows<{ what: string }>(sql)).map((row) => row.what);
  return {
    short: await what(factsSql("short_facts")),
    long: await what(factsSql("long_facts")),
    volatile: await what(factsSql("volatile_facts")),
    steadyLeaves: await what(leavesSql("steady_leaves")),
    volatileLeaves: await what(leavesSql("volatile_leaves")),
  };
}

async function sent(store: Store, hour: number, facts: JsonObject): Promise<void> {
  const producer_timestamp = `2026-11-20T${hour}:00:00Z`;
  await Promise.all(NODES.map((node) => store.submit(a.facts(node, { producer_timestamp, values: facts }))));
}

const apart = {
  short: ["kernel"],
  long: [],
  volatile: ["memory", "uptime_seconds"],
  steadyLeaves: ['["kernel"]', '["memory","system","total"]', '["memory","total"]'],
  volatileLeaves: ['["memory","system","used"]', '["uptime_seconds"]'],
};

it("volatile facts are in tables of their own, and the others remain where they are", async () => {
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

it("a volatile fact of which rows are kept apart puts all facts of its node into the other tables", async () => {
  const database = await openDatabase({});
  const store = await Store.over(database, { clock: fixedClock(NOW) });
  await sent(store, 10, values(1, "1 GiB", "6"));
  await sent(store, 11, values(2, "x".repeat(20_000), "6"));
  expect(await contents(database)).toMatchObject({
    short: ["kernel", "uptime_seconds"],
    long: ["memory"],
    volatile: [],
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
  expect(await contents(database)).toMatchObject({ volatile: [], volatileLeaves: [], long: ["memory"] });
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM facts")).toEqual([{ count: 6 }]);
  await plain.close();
});
