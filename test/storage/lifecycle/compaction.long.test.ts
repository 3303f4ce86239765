import { createHash } from "node:crypto";
import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { CensusError } from "#storage/errors.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { compact } from "#storage/lifecycle/compaction.ts";
import { tableSpace } from "#storage/lifecycle/file-space.ts";
import { rewriteTable } from "#storage/lifecycle/rewrite-table.ts";
import { rowGroups } from "#storage/lifecycle/row-groups.ts";
import { migrate } from "#storage/schema/migrate.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, rowsOf, submitted } from "#test/fixture-store.ts";
import { clean, maintainedStore } from "#test/storage/lifecycle/maintained.ts";

const open = new AbortController().signal;
const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

let templates: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  templates = await temporaryFolder();
  await template("holey.duckdb", async (database) => {
    const noise = "md5(i::VARCHAR) || md5('a' || i) || md5('b' || i)";
    for (const [table, rows] of [
      ["short_facts", "i % 100, 'fact ' || i, 'v', 'k'"],
      ["resource_parameters", `i, 'content', ${noise}, i`],
      ["catalog_inputs", "i, 'hiera', 'key'"],
    ]) {
      await database.execute(`INSERT INTO ${table} SELECT ${rows} FROM range(100000) AS t(i)`);
    }
  });
  await template("large.duckdb", async (database) => {
    const text = "md5(i::VARCHAR) || md5('a' || i)";
    const rows = "FROM range(500000) AS t(i)";
    await database.execute(`CREATE TABLE before AS SELECT ${text} || md5('b' || i) AS t FROM range(300000) AS t(i)`);
    await database.execute(`INSERT INTO resource_parameters SELECT i, 'content', ${text}, i ${rows}`);
    await database.execute(`INSERT INTO history_facts SELECT 1, ${text}, NULL, NULL, now() ${rows}`);
  });
});
afterAll(() => templates[Symbol.asyncDispose]());

/** Makes a file that tests copy. */
async function template(name: string, fill: (database: Database) => Promise<void>): Promise<void> {
  const database = await Database.open({ path: join(templates.path, name), threads: 2 });
  await migrate(database);
  await fill(database);
  await database.checkpoint();
  await database.close();
}

async function copied(name: string, folder: string): Promise<Database> {
  const path = join(folder, name);
  await copyFile(join(templates.path, name), path);
  return Database.open({ path, threads: 2 });
}

/** A file of about 12 MB, nine tenths of it rows that have been deleted. */
async function holeyFile(folder: string): Promise<Database> {
  const database = await copied("holey.duckdb", folder);
  await database.execute("DELETE FROM resource_parameters WHERE resource_id % 10 <> 0");
  return database;
}

const parameters = "SELECT resource_id, value FROM resource_parameters";

describe("a file that is mostly free", () => {
  it("gets smaller and keeps tables and rows", async () => {
    await using folder = await temporaryFolder();
    const database = await holeyFile(folder.path);
    const shape =
      "SELECT * EXCLUDE (table_oid) FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index";
    const [columns, rows] = [await database.rows(shape), await database.rows(parameters)];
    const before = await bytesOf(database.place);
    const compaction = await compact(database, open);
    expect(compaction).toMatchObject({ before: expect.any(Number), after: expect.any(Number) });
    expect(await bytesOf(database.place)).toBeLessThan(before / 2);
    expect(await database.rows(shape)).toEqual(columns);
    // In their order, too.
    expect(await database.rows(parameters)).toEqual(rows);
    expect(await compact(database, open)).toBeUndefined();
    await database.close();
  });

  it("is compacted after running queries, which return all their rows", async () => {
    await using folder = await temporaryFolder();
    const database = await holeyFile(folder.path);
    const before = await bytesOf(database.place);
    const answer = database.texts({ sql: "SELECT value FROM resource_parameters", values: [] });
    const first = await answer.next();
    let count = first.done === true ? 0 : first.value.length;
    const compacting = compact(database, open);
    for await (const texts of answer) count += texts.length;
    expect(count).toBe(10_000);
    expect(await compacting).toBeDefined();
    expect(await bytesOf(database.place)).toBeLessThan(before / 2);
    await database.close();
  });

  it("is unchanged if the store closes first", async () => {
    await using folder = await temporaryFolder();
    const database = await holeyFile(folder.path);
    const closing = new CensusError("unavailable", "closing");
    await expect(compact(database, AbortSignal.abort(closing))).rejects.toBe(closing);
    await expect(rewriteTable(database, "resource_parameters", AbortSignal.abort(closing))).rejects.toBe(closing);
    expect(await database.rows(parameters)).toHaveLength(10_000);
    await database.close();
  });

  it("keeps its rows if the process ends between the rewriting and the checkpoint", async () => {
    await using folder = await temporaryFolder();
    const database = await holeyFile(folder.path);
    const rows = await database.rows(parameters);
    await rewriteTable(database, "resource_parameters", open);
    const copy = join(folder.path, "copy.duckdb");
    await copyFile(database.place, copy);
    await copyFile(`${database.place}.wal`, `${copy}.wal`);
    await database.close();
    const reopened = await Database.open({ path: copy, threads: 2 });
    expect(await reopened.rows(parameters)).toEqual(rows);
    await reopened.close();
  });
});

/** A file of about 46 MB: a table that is dropped, one of 19 MB, and the changes of facts, as large. */
async function largeFile(folder: string): Promise<Database> {
  const database = await copied("large.duckdb", folder);
  await database.execute("DROP TABLE before");
  return database;
}

describe("a large table at the end of a file", () => {
  it("is moved a row group at a time, while rows are added, deleted and read", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    await database.execute("DROP TABLE history_facts");
    const before = await bytesOf(database.place);
    const moving = new AbortController();
    const compacting = compact(database, open).finally(() => moving.abort());
    const counts: number[] = [];
    let added = 0;
    for (; !moving.signal.aborted; added++) {
      await database.execute(
        `INSERT INTO resource_parameters SELECT -1 - ${added}, 'new', 'value', 0; DELETE FROM resource_parameters WHERE resource_id = ${added * 100}`,
      );
      const [row] = await database.rows<{ count: number }>(
        "SELECT count(*)::INTEGER AS count FROM resource_parameters",
      );
      if (row !== undefined) counts.push(row.count);
      // As long as something else reads, nothing is freed.
      await pause(20);
    }
    expect(await compacting).toMatchObject({ before: expect.any(Number), after: expect.any(Number) });
    // The table has five groups.
    expect(added).toBeGreaterThan(3);
    expect(new Set(counts)).toEqual(new Set([500_000]));
    const [row] = await database.rows(
      `SELECT count(DISTINCT resource_id)::INTEGER AS ids, count(*) FILTER (name = 'new')::INTEGER AS added,
        count(*) FILTER (name = 'content' AND value <> md5(resource_id::VARCHAR) || md5('a' || resource_id))::INTEGER AS wrong
      FROM resource_parameters`,
    );
    expect(row).toEqual({ ids: 500_000, added, wrong: 0 });
    expect(await bytesOf(database.place)).toBeLessThan(before * 0.75);
    await database.close();
  });

  it("remains where it is if the order of its rows matters", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    const order = "SELECT bit_xor(hash(path, rowid))::VARCHAR AS ordered FROM history_facts";
    const rows = await database.rows(order);
    const compaction = await compact(database, open);
    expect(compaction?.left).toBeGreaterThan(0);
    expect(await database.rows(order)).toEqual(rows);
    // It is not tried again for what could not be freed.
    expect(await compact(database, open, compaction?.left)).toBeUndefined();
    await database.close();
  });
});

describe("row groups of a table", () => {
  it("begin where the rows before them end, and have the table's blocks", async () => {
    await using folder = await temporaryFolder();
    const database = await largeFile(folder.path);
    const groups = await rowGroups(database, "resource_parameters");
    expect(groups.map(({ first, rows }) => [first, rows])).toEqual([
      [0, 122_880],
      [122_880, 122_880],
      [245_760, 122_880],
      [368_640, 122_880],
      [491_520, 8480],
    ]);
    const space = await tableSpace(database, "resource_parameters");
    expect(Math.max(...groups.map(({ last }) => last))).toBe(space.last);
    expect(groups.reduce((sum, { blocks }) => sum + blocks, 0)).toBeGreaterThanOrEqual(space.blocks);
    expect(await rowGroups(database, "edges")).toEqual([]);
    await database.close();
  });
});

describe("a file of which little is free", () => {
  it("is not compacted", async () => {
    await using folder = await temporaryFolder();
    const database = await Database.open({ path: join(folder.path, "file.duckdb"), threads: 2 });
    await database.execute("CREATE TABLE t AS SELECT i, md5(i::VARCHAR) AS s FROM range(300000) AS t(i)");
    await database.execute("DELETE FROM t WHERE i % 50 = 0");
    const before = await database.rows("SELECT table_oid FROM duckdb_tables()");
    expect(await compact(database, open)).toBeUndefined();
    expect(await database.rows("SELECT table_oid FROM duckdb_tables()")).toEqual(before);
    await database.close();
  });
});

/** Texts that no compression makes much smaller, another one for each seed. */
function noise(seed: number, length: number): string {
  return createHash("shake256", { outputLength: Math.ceil(length * 0.75) })
    .update(String(seed))
    .digest("base64")
    .slice(0, length);
}

/** Stores commands, as many as possible in one transaction. */
async function together(store: Store, commands: readonly Submission[]): Promise<void> {
  await Promise.all(commands.map((command) => store.submit(command)));
}

/** A store with 60 large nodes, five of them active. */
async function filled(directory: string): Promise<Store> {
  const { store } = await maintainedStore({ directory });
  const commands = Array.from({ length: 60 }, (_, n) => {
    const values = { first: noise(n, 60_000), second: noise(n + 1000, 60_000) };
    const sent = a.facts(`node-${n}`, { values, producer_timestamp: "2026-10-01T00:00:00Z" });
    return n < 5 ? [sent] : [sent, a.deactivation(`node-${n}`, "2026-10-02T00:00:00Z")];
  });
  await together(store, commands.flat());
  return store;
}

describe("a store whose nodes are purged", () => {
  it("has a smaller file, and continues to work", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, databaseFile);
    await (await filled(folder.path)).close();
    const before = await bytesOf(path);
    const { store, events } = await maintainedStore({ directory: folder.path });
    const kept = ["or", ...Array.from({ length: 5 }, (_, n) => ["=", "certname", `node-${n}`])];
    const facts = await rowsOf(store, "facts", kept);
    await clean(store, "purge_nodes");
    expect(events.find(({ kind }) => kind === "compacted")).toMatchObject({ after: expect.any(Number) });
    expect(await bytesOf(path)).toBeLessThan(before / 3);
    expect(await rowsOf(store, "facts")).toEqual(facts);
    expect(await submitted(store, a.facts("new", { values: { fresh: 1 } }), a.catalog("new"), a.report("new"))).toEqual(
      ["stored", "stored", "stored"],
    );
    await store.close();

    const { store: again } = await maintainedStore({ directory: folder.path });
    expect(await fieldOf(again, "nodes", "certname")).toEqual([
      "new",
      "node-0",
      "node-1",
      "node-2",
      "node-3",
      "node-4",
    ]);
    expect(await rowsOf(again, "facts", kept)).toEqual(facts);
    await again.close();
  });
});

/** Facts of as many nodes as are given, 120 KB each, different in each wave. */
async function sendWave(store: Store, wave: number, nodes: number): Promise<void> {
  const commands = Array.from({ length: nodes }, (_, n) => {
    const values = { first: noise(1000 * wave + n, 60_000), second: noise(1000 * wave + n + 500, 60_000) };
    return a.facts(`node-${n}`, { values, producer_timestamp: `2026-10-0${wave}T00:00:00Z` });
  });
  await together(store, commands);
}

/** Every fact, as one text. */
async function allFacts(store: Store): Promise<string> {
  return (await rowsOf(store, "facts"))
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join("\n");
}

describe("a store that commands have made larger", () => {
  it("frees unused disk space when commands pause", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, databaseFile);
    const { store, events } = await maintainedStore({ directory: folder.path });
    for (const wave of [1, 2]) await sendWave(store, wave, 60);
    const facts = await allFacts(store);
    await store.rest({ isLong: false });
    const { before, after } = events.find((event) => event.kind === "compacted") ?? { before: 0, after: 0 };
    expect(after).toBeLessThan(before * 0.7);
    expect(await bytesOf(path)).toBeLessThan(before * 0.7);
    // Not by toEqual, which would show all of it.
    expect((await allFacts(store)) === facts).toBe(true);
    expect(await submitted(store, a.facts("new", { values: { fresh: 1 } }))).toEqual(["stored"]);
    await store.close();
  });

  it("is compacted again when it has grown, not each time", async () => {
    await using folder = await temporaryFolder();
    const { store, events } = await maintainedStore({ directory: folder.path });
    const compactions: number[] = [];
    for (const [wave, nodes] of [60, 60, 100, 100].entries()) {
      await sendWave(store, wave + 1, nodes);
      await store.rest({ isLong: false });
      compactions.push(events.splice(0).filter(({ kind }) => kind === "compacted").length);
    }
    expect(compactions).toEqual([0, 0, 1, 0]);
    await store.close();
  });

  it("delays maintenance and closing until it is compacted", async () => {
    await using folder = await temporaryFolder();
    const { store, events } = await maintainedStore({ directory: folder.path });
    for (const wave of [1, 2]) await sendWave(store, wave, 60);
    const resting = store.rest({ isLong: false });
    const cleaning = clean(store, "gc_fact_paths");
    await Promise.all([resting, cleaning]);
    expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
    expect(events.map(({ kind }) => kind)).toContain("ended");
    await sendWave(store, 3, 90);
    const again = store.rest({ isLong: true }).catch(() => undefined);
    await store.close();
    await again;
    const { store: reopened } = await maintainedStore({ directory: folder.path });
    expect(await rowsOf(reopened, "facts")).toHaveLength(180);
    await reopened.close();
  });
});
