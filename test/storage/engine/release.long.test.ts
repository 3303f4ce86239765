import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { SnapshotOptions } from "#storage/engine/snapshot.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { memoryOfTables } from "./memory-of-tables.ts";

const ROWS = 500_000;
const total = { sql: "SELECT sum(length(text))::INTEGER AS total FROM texts", of: 32 * ROWS };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
beforeAll(async () => {
  folder = await temporaryFolder();
  database = await Database.open({ path: join(folder.path, "store.duckdb") });
  await database.execute(`CREATE TABLE texts AS SELECT md5(range::VARCHAR) AS text FROM range(${ROWS})`);
  await database.checkpoint();
});
afterAll(async () => {
  await database.close();
  await folder[Symbol.asyncDispose]();
});

async function readAll(): Promise<number> {
  const [row] = await database.rows<{ total: number }>(total.sql);
  return row?.total ?? 0;
}

it("memory with blocks of the file is freed, and the blocks are read again when a query needs them", async () => {
  expect(await readAll()).toBe(total.of);
  expect(await memoryOfTables(database)).toBeGreaterThan(5_000_000);
  await database.release();
  expect(await memoryOfTables(database)).toBeLessThan(1_000_000);
  expect(await readAll()).toBe(total.of);
});

it("queries and writes succeed while memory is being freed", async () => {
  await database.execute("CREATE TABLE numbers (n INTEGER)");
  const work = Array.from({ length: 20 }, async (_, n) => {
    const [answer] = await Promise.all([
      readAll(),
      database.release(),
      database.transaction((tx) => tx.execute("numbers", "INSERT INTO numbers SELECT range FROM range(1000)")),
      database.rows("SELECT text FROM texts ORDER BY text LIMIT $1", [n + 1]),
    ]);
    return answer;
  });
  expect(await Promise.all(work)).toEqual(work.map(() => total.of));
  expect(await database.rows("SELECT count(*)::INTEGER AS count FROM numbers")).toEqual([{ count: 20_000 }]);
});

it("queries that need little memory do not run out of it while memory is being freed", async () => {
  const sql = `SELECT count(*)::INTEGER AS count FROM
    (SELECT string_agg(text, '') FROM texts WHERE rowid < $1 GROUP BY rowid % 100)`;
  const counts: number[] = [];
  const query = async (): Promise<void> => {
    while (counts.length < 400)
      for (const { count } of await database.rows<{ count: number }>(sql, [200])) counts.push(count);
  };
  const over = new AbortController();
  const queries = Promise.allSettled([query(), query()]).finally(() => over.abort());
  while (!over.signal.aborted) await database.release();
  expect(await queries).toEqual([{ status: "fulfilled" }, { status: "fulfilled" }]);
  expect(new Set(counts)).toEqual(new Set([100]));
});

it("the memory limit of the engine is the same after memory was freed", async () => {
  const limit = "SELECT current_setting('memory_limit') AS size";
  const before = await database.rows(limit);
  await database.release();
  expect(await database.rows(limit)).toEqual(before);
});

it("a large snapshot keeps no more blocks of the file in memory than it needs", async () => {
  const rows = 5_000_000;
  await database.execute(`CREATE TABLE many AS SELECT range AS id, md5(range::VARCHAR) AS text FROM range(${rows})`);
  await database.checkpoint();
  const sql = "SELECT sum(length(text))::INTEGER AS total FROM many WHERE id >= $1 AND id < $2";
  const read = async (pieces: number, options: SnapshotOptions): Promise<{ sum: number; most: number }> => {
    await database.release();
    const found = { sum: 0, most: 0 };
    const totals = database.snapshot(async function* ([view]) {
      for (let piece = 0; piece < pieces; piece++) {
        const from = (rows / pieces) * piece;
        const [row] = await view.rows<{ total: number }>(sql, [BigInt(from), BigInt(from + rows / pieces)]);
        yield row?.total ?? 0;
      }
    }, options);
    let piece = 0;
    for await (const total of totals) {
      found.sum += total;
      if (++piece % (pieces / 10) === 0) found.most = Math.max(found.most, await memoryOfTables(database));
    }
    return found;
  };
  const [large, usual] = [await read(1000, { inBulk: true }), await read(20, {})];
  expect([large.sum, usual.sum]).toEqual([32 * rows, 32 * rows]);
  expect(large.most).toBeLessThan(usual.most * 0.75);
});
