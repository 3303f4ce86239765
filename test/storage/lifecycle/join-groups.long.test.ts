import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { fileSpace } from "#storage/lifecycle/file-space.ts";
import { joinRowGroups, runsToJoin } from "#storage/lifecycle/join-groups.ts";
import { GROUP_ROWS } from "#storage/engine/file-layout.ts";
import { type RowGroup, rowGroups } from "#storage/lifecycle/row-groups.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

const open = new AbortController().signal;

/** The numbers of rows of groups that are joined, where groups have these numbers, and at most `most` are moved at once. */
function sizesOf(sizes: readonly number[], most = GROUP_ROWS): number[][] {
  const groups = sizes.map((rows, at): RowGroup => {
    const first = sizes.slice(0, at).reduce((sum, size) => sum + size, 0);
    return { table: "t", first, rows, blocks: 1, last: at };
  });
  return runsToJoin(groups, most).map((run) => run.map(({ rows }) => rows));
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("groups to join", () => {
  it("are four neighbours or more", () => {
    expect(sizesOf(times(3, 500))).toEqual([]);
    expect(sizesOf(times(5, 500))).toEqual([times(5, 500)]);
  });

  it("do not have most of the rows that are moved", () => {
    expect(sizesOf([8000, ...times(8, 500)])).toEqual([times(8, 500)]);
    expect(sizesOf([8000, ...times(16, 500)])).toEqual([[8000, ...times(16, 500)]]);
    expect(sizesOf([...times(8, 500), 8000])).toEqual([times(8, 500)]);
    expect(sizesOf([4000, ...times(3, 500)])).toEqual([]);
  });

  it("have no more rows than commands can wait for", () => {
    expect(sizesOf(times(40, 4000), 33_000)).toEqual(times(5, times(8, 4000)));
    expect(sizesOf(times(9, 40_000))).toEqual([]);
  });

  it("leave half as many groups", () => {
    const most = 4 * GROUP_ROWS;
    expect(sizesOf(times(12, 50_000), most)).toEqual([times(9, 50_000)]);
    expect(sizesOf(times(12, 70_000), most)).toEqual([]);
    expect(sizesOf([GROUP_ROWS, ...times(4, 60_000)], most)).toEqual([times(4, 60_000)]);
  });
});

let template: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  template = await temporaryFolder();
  const database = await Database.open({ path: join(template.path, "large.duckdb"), threads: 2 });
  // Larger than a file that the engine vacuums at each checkpoint.
  await database.execute("SET GLOBAL force_compression = 'uncompressed'");
  await database.execute(
    "CREATE TABLE ballast AS SELECT repeat(md5(i::VARCHAR), 94) AS text FROM range(100000) AS t(i)",
  );
  await database.execute("CREATE TABLE lines (number BIGINT, text VARCHAR)");
  await database.checkpoint();
  await database.execute("SET GLOBAL force_compression = 'auto'");
  await add(database, 20_000);
  await database.checkpoint();
  await database.close();
});
afterAll(() => template[Symbol.asyncDispose]());

async function largeFile(folder: string): Promise<Database> {
  const path = join(folder, "file.duckdb");
  await copyFile(join(template.path, "large.duckdb"), path);
  return Database.open({ path, threads: 2 });
}

/** Adds rows with texts that do not become much smaller. */
async function add(database: Database, rows: number): Promise<void> {
  await database.execute(
    `INSERT INTO lines SELECT (SELECT count(*) FROM lines) + i, md5(random()::VARCHAR) || md5(random()::VARCHAR)
      FROM range(${rows}) AS t(i)`,
  );
}

async function rowsOfGroups(database: Database): Promise<number[]> {
  return (await rowGroups(database, "lines")).map(({ rows }) => rows);
}

const linesOf = (database: Database): Promise<unknown[]> => database.rows("SELECT number, text FROM lines");

describe("row groups of a large file", () => {
  it("are added by checkpoints and joined later, in their order", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    expect(database.isVacuumed).toBe(false);
    for (let round = 0; round < 10; round++) {
      await add(database, 500);
      await database.checkpoint();
    }
    expect(await rowsOfGroups(database)).toEqual([20_000, ...times(10, 500)]);
    expect(database.unjoinedCheckpoints).toBe(10);
    const lines = await linesOf(database);
    await joinRowGroups(database, open);
    expect(database.unjoinedCheckpoints).toBe(0);
    await database.checkpoint();
    expect(await rowsOfGroups(database)).toEqual([20_000, 5000]);
    expect(await linesOf(database)).toEqual(lines);
    await database.close();
  });

  it("are joined in several transactions where they fill more than one", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    for (let round = 0; round < 5; round++) {
      await add(database, 50_000);
      await database.checkpoint();
    }
    const sorted = "SELECT number, text FROM lines ORDER BY ALL";
    const lines = await database.rows(sorted);
    await joinRowGroups(database, open);
    await database.checkpoint();
    const sizes = await rowsOfGroups(database);
    expect(sizes.length).toBeLessThanOrEqual(4);
    expect(Math.max(...sizes)).toBe(GROUP_ROWS);
    expect(await database.rows(sorted)).toEqual(lines);
    await database.close();
  });

  it("are joined by a checkpoint with joinsGroups", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    for (let round = 0; round < 3; round++) {
      await add(database, 500);
      await database.checkpoint();
    }
    expect(await rowsOfGroups(database)).toEqual([20_000, ...times(3, 500)]);
    await add(database, 500);
    await database.checkpoint({ joinsGroups: true });
    expect(await rowsOfGroups(database)).toEqual([20_000, 2000]);
    await database.close();
  });

  it("that are mostly holes are emptied, and their blocks are freed", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    await add(database, 20_000);
    await database.checkpoint();
    expect(await rowsOfGroups(database)).toEqual([20_000, 20_000]);
    await database.execute("DELETE FROM lines WHERE number < 20000 AND number % 5 <> 0");
    await database.checkpoint();
    expect(await rowsOfGroups(database)).toEqual([20_000, 20_000]);
    const { free } = await fileSpace(database);
    const lines = await database.rows("SELECT number, text FROM lines ORDER BY number");
    await joinRowGroups(database, open);
    await database.checkpoint();
    expect(await rowsOfGroups(database)).toEqual([20_000, 4000]);
    expect((await fileSpace(database)).free).toBeGreaterThan(free);
    expect(await database.rows("SELECT number, text FROM lines ORDER BY number")).toEqual(lines);
    await database.close();
  });

  it("remain as they are where few rows are deleted", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    await database.execute("DELETE FROM lines WHERE number % 3 = 0");
    await database.checkpoint();
    await joinRowGroups(database, open);
    await database.checkpoint();
    expect(await rowsOfGroups(database)).toEqual([20_000]);
    await database.close();
  });

  it("are joined until the store is closed", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    await add(database, 500);
    await database.checkpoint();
    const closing = new AbortController();
    closing.abort(new Error("closing"));
    for (let round = 0; round < 8; round++) await add(database, 500).then(() => database.checkpoint());
    expect(database.unjoinedCheckpoints).toBe(9);
    await expect(joinRowGroups(database, closing.signal)).rejects.toThrow("closing");
    await database.close();
  });
});
