import { spawnSync } from "node:child_process";
import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBValue,
  StatementType,
} from "@duckdb/node-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SEEN_IN } from "#storage/engine/settings.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

/*
 * What the engine itself does and the code works around: each title names where. A test that fails, with another version of the
 * engine, says that the work-around may not be needed any more. Those of rows by ids and of blocks that a checkpoint rewrites in place
 * are in `rows-of-ids.test.ts` and `saved-blocks.test.ts`.
 */

const holder = fileURLToPath(new URL("hold-file.ts", import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
let path: string;

async function open(): Promise<void> {
  instance = await DuckDBInstance.create(path, { checkpoint_threshold: "1TB", threads: "1" });
  connection = await instance.connect();
  await connection.run("PRAGMA disable_checkpoint_on_shutdown");
}

function close(): void {
  connection.closeSync();
  instance.closeSync();
}

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, "plain.duckdb");
  await open();
});
afterEach(async () => {
  close();
  await folder[Symbol.asyncDispose]();
});

/** Whether another process can open the file. */
function isFree(): boolean {
  return spawnSync(process.execPath, [holder, path], { input: "" }).status === 0;
}

async function valueOf(sql: string): Promise<DuckDBValue> {
  return (await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? null;
}

it("are of the engine's version", async () => {
  expect(await valueOf("SELECT version()")).toBe(SEEN_IN);
});

it("a statement that was prepared without parameters does not see a later commit (Reader.with, streamRows)", async () => {
  await connection.run("CREATE TABLE t AS SELECT range::INTEGER AS a FROM range(6)");
  const statement = await connection.prepare("SELECT count(*)::INTEGER FROM t WHERE a > 50");
  await connection.run("INSERT INTO t VALUES (2000)");
  expect((await statement.runAndReadAll()).getRows()).toEqual([[0]]);
  expect(await valueOf("SELECT count(*)::INTEGER FROM t WHERE a > 50")).toBe(1);
});

it.each([
  ["ab", String.raw`a\Ab`, true],
  ["ab", String.raw`a\zb`, true],
  ["ab", "(?:)b", false],
])(
  "%j is matched with %s as if it were another pattern (query/dialect: unoptimizedPattern)",
  async (text, pattern, found) => {
    const matches = async (written: string): Promise<DuckDBValue> =>
      valueOf(`SELECT regexp_matches(x, '${written}') FROM (VALUES ('${text}')) AS texts(x)`);
    expect(await matches(pattern)).toBe(found);
    expect(await matches(`(?:${pattern})+`)).toBe(!found);
  },
);

it("an interruption before a statement has no effect on it (interruptOn)", async () => {
  connection.interrupt();
  expect(await valueOf("SELECT 1")).toBe(1);
});

it("a result that is not read to its end keeps the file open (statements.ts: endResult)", async () => {
  await connection.run("CREATE TABLE t AS SELECT range AS a FROM range(100000); CHECKPOINT");
  for (const isRead of [true, false]) {
    const statement = await connection.prepare("SELECT a FROM t WHERE a >= $1");
    statement.bind([0]);
    const result = await statement.stream();
    await result.fetchChunk();
    connection.interrupt();
    // Another statement ends the query, but not its hold on the file.
    if (isRead) await readOut(result);
    else await connection.run("SELECT 1");
    close();
    expect(isFree()).toBe(isRead);
    await open();
    expect(result.columnCount).toBe(1);
  }
});

it("an error after the first rows ends a result like any other (statements.ts: chunksOf)", async () => {
  await connection.run("CREATE TABLE t AS SELECT range AS a FROM range(1000000)");
  const statement = await connection.prepare(
    "SELECT CASE WHEN a = 900000 THEN error('') ELSE a END FROM t WHERE a >= $1",
  );
  statement.bind([0]);
  const result = await statement.stream();
  await readOut(result);
  expect(result.statementType).toBe(StatementType.INVALID);
});

async function readOut(result: DuckDBResult): Promise<void> {
  for (let rows = 1; rows > 0;) rows = (await result.fetchChunk())?.rowCount ?? 0;
}

it("memory for deleted rows is not free after a checkpoint (Renewal)", async () => {
  const memory = "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'BASE_TABLE'";
  await connection.run("CREATE TABLE t AS SELECT range AS a FROM range(2000000); CHECKPOINT");
  await connection.run("DELETE FROM t WHERE a % 2048 = 7; CHECKPOINT");
  // It keeps 16 KB for each 2,048 rows.
  expect(await valueOf(memory)).toBeGreaterThan(10_000_000);
  close();
  await open();
  expect(await valueOf(memory)).toBeLessThan(1_000_000);
});

it("space before the end of a file is not given back (lifecycle/compaction.ts)", async () => {
  await connection.run(
    "CREATE TABLE first AS SELECT range AS a, sha256(range::VARCHAR) AS b FROM range(200000); CHECKPOINT",
  );
  await connection.run(
    "CREATE TABLE last AS SELECT range AS a, sha256(range::VARCHAR) AS b FROM range(20000); CHECKPOINT",
  );
  const { size } = statSync(path);
  await connection.run("DROP TABLE first; CHECKPOINT; CHECKPOINT");
  expect(statSync(path).size).toBeGreaterThanOrEqual(size);
});

it("a log that is none is ignored without a word (engine-file.ts: setLogAside)", async () => {
  await connection.run("CREATE TABLE t AS SELECT 1 AS a; CHECKPOINT");
  close();
  writeFileSync(`${path}.wal`, "these bytes are no log");
  await open();
  expect(await valueOf("SELECT count(*)::INTEGER FROM t")).toBe(1);
  expect(existsSync(`${path}.wal`)).toBe(true);
});

it("the end of a log that is cut off is left out without a word (log-end.ts)", async () => {
  await connection.run("CREATE TABLE t (a INTEGER); CHECKPOINT");
  await connection.run("INSERT INTO t VALUES (1)");
  const { size } = statSync(`${path}.wal`);
  await connection.run("INSERT INTO t VALUES (2)");
  close();
  truncateSync(`${path}.wal`, size + 20);
  await open();
  expect(await valueOf("SELECT count(*)::INTEGER FROM t")).toBe(1);
});
