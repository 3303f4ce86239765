import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { savedBlocksEnding } from "#storage/engine/saved-blocks.ts";
import { Store } from "#storage/store.ts";
import { a } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

let usual = 0;

beforeEach(() => {
  usual = process.umask(0o022);
});

afterEach(() => {
  process.umask(usual);
});

/** Every file and folder below a directory and itself, whose mode lets others in. */
async function readable(directory: string): Promise<string[]> {
  const names = ["", ...(await readdir(directory, { recursive: true }))];
  const modes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).mode & 0o077));
  return names.filter((_, index) => modes[index] !== 0);
}

/** Opens a store and leaves the engine's log and a file of the queue beside the database. */
async function opened(directory: string, notices: string[] = []): Promise<Store> {
  const store = await Store.open({ directory, onNotice: (text) => notices.push(text) });
  await store.submit(a.facts("node"));
  return store;
}

describe.skipIf(process.platform === "win32")("a data directory", () => {
  it("is accessible to its owner only, with all its files, under any umask", async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "made", "data");
    const notices: string[] = [];
    const store = await opened(directory, notices);
    expect(await readdir(directory)).toContain("census.duckdb.wal");
    expect(await readable(join(folder.path, "made"))).toEqual([]);
    {
      using backup = await store.backup();
      expect((await stat(backup.path)).mode & 0o777).toBe(0o600);
    }
    await store.close();
    expect(await readable(directory)).toEqual([]);
    expect(notices).toEqual([]);
  });

  it("with the database of another program is refused and not changed", async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "shared");
    const path = join(directory, "census.duckdb");
    await mkdir(directory);
    const foreign = await Database.open({ path, threads: 1 });
    await foreign.execute("CREATE TABLE sales AS SELECT 1 AS amount");
    await foreign.checkpoint();
    await foreign.close();
    // Another program has no copies of blocks.
    await rm(`${path}${savedBlocksEnding}`);
    await writeFile(join(directory, "store.json"), "{}");
    for (const each of [directory, path, join(directory, "store.json")]) await chmod(each, 0o755);
    const before = await readFile(path);
    const names = await readdir(directory);
    await expect(Store.open({ directory })).rejects.toThrow("is not a Census store: it contains other tables");
    expect((await readable(directory)).sort()).toEqual(["", ...names].sort());
    expect(await readFile(path)).toEqual(before);
  });

  it("of an older version is made private, and that is reported once", async () => {
    await using folder = await temporaryFolder();
    const store = await opened(folder.path);
    await store.close();
    for (const name of await readdir(folder.path, { recursive: true })) {
      const path = join(folder.path, name);
      await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);
    }
    await chmod(folder.path, 0o755);
    const notices: string[] = [];
    for (let time = 1; time <= 2; time++) await (await opened(folder.path, notices)).close();
    expect(notices).toEqual([
      `${folder.path}: could be read by others than its owner; its mode is 700 now, that of its files 600`,
    ]);
    expect(await readable(folder.path)).toEqual([]);
  });

  it("with other files keeps its mode, and the files of the store are made private", async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, "others"));
    await writeFile(join(folder.path, "others", "file"), "");
    await chmod(folder.path, 0o755);
    await (await opened(folder.path)).close();
    expect(await readable(folder.path)).toEqual(["", "others", "others/file"]);
  });
});
