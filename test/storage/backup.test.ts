import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, emptyStore, fieldOf, NOW, population, rowsOf } from "#test/fixture-store.ts";

const options = { clock: fixedClock(NOW) };

describe("a backup", () => {
  it("is a store with the state of one moment, made while commands are stored", async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "it's here");
    await using closing = new AsyncDisposableStack();
    const store = await Store.open({ ...options, directory });
    closing.defer(() => store.close());
    for (const submission of population) await store.submit(submission);
    const before = await rowsOf(store, "factsets");

    const made = new AbortController();
    let count = 0;
    const taken = (async () => {
      for (; !made.signal.aborted || count < 3; count++) await store.submit(a.facts(`meanwhile-${count}`));
    })();
    const copied = join(folder.path, "copied");
    mkdirSync(copied);
    {
      using backup = await store.backup();
      made.abort();
      copyFileSync(backup.path, join(copied, databaseFile));
      await expect(store.backup()).rejects.toMatchObject({ code: "conflict" });
    }
    await taken;
    expect(existsSync(join(directory, "backup"))).toBe(false);
    expect(count).toBeGreaterThanOrEqual(3);

    const restored = await Store.open({ ...options, directory: copied });
    closing.defer(() => restored.close());
    const found = await fieldOf(restored, "nodes", "certname");
    const meanwhile = found.filter((name) => name.startsWith("meanwhile-"));
    // A moment: those before it and none behind.
    expect(meanwhile.sort()).toEqual(meanwhile.map((_, n) => `meanwhile-${n}`).sort());
    const rows = await rowsOf(restored, "factsets");
    const names = new Set(meanwhile);
    expect(rows.filter(({ certname }) => !names.has(certname as string))).toEqual(before);
    await restored.submit(a.facts("afterwards"));
    expect(await fieldOf(restored, "nodes", "certname")).toContain("afterwards");
  });

  it("is refused for a store in memory", async () => {
    const store = await emptyStore();
    await expect(store.backup()).rejects.toMatchObject({ code: "bad-input" });
    await store.close();
  });

  it("leaves no temporary file after a crash once the store is opened again", async () => {
    await using folder = await temporaryFolder();
    mkdirSync(join(folder.path, "backup"));
    writeFileSync(join(folder.path, "backup/copy.duckdb"), "half");
    const store = await Store.open({ ...options, directory: folder.path });
    expect(existsSync(join(folder.path, "backup"))).toBe(false);
    await store.close();
  });

  it("does not allow the engine to open other files", async () => {
    await using folder = await temporaryFolder();
    const database = await Database.open({ path: join(folder.path, databaseFile) });
    const elsewhere = [
      `ATTACH '${folder.path}/other.duckdb' AS other`,
      `ATTACH '${folder.path}/backup/../other.duckdb' AS other`,
      `COPY (SELECT 1) TO '${folder.path}/other.csv'`,
      "SET enable_external_access = true",
      "SET allowed_directories = ['/']",
    ];
    for (const sql of elsewhere) await expect(database.execute(sql)).rejects.toThrow(/Permission|Cannot|cannot/);
    await database.close();
  });
});
