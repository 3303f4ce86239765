import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { CensusError } from "#storage/errors.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { withoutRoot } from "#test/without-root.ts";

const holder = fileURLToPath(new URL("hold-file.ts", import.meta.url));

/** What opening the file is refused with, which is always one line of code bad-file. */
async function refusal(path: string): Promise<string> {
  try {
    await (await Database.open({ path, threads: 1 })).close();
  } catch (error) {
    if (error instanceof CensusError && error.code === "bad-file" && !error.message.includes("\n"))
      return error.message;
    throw error;
  }
  return "no refusal";
}

describe("a database file", () => {
  it("is created with its parent folders, and contains what was written when it is reopened", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "new", "deeper", "store.duckdb");
    const first = await Database.open({ path, threads: 1 });
    expect(first.place).toBe(path);
    await first.execute("CREATE TABLE kept AS SELECT 42::INTEGER AS n");
    await first.checkpoint();
    await first.close();
    const second = await Database.open({ path, threads: 1 });
    expect(await second.rows("SELECT n FROM kept")).toEqual([{ n: 42 }]);
    await second.close();
  });

  it("that another process has open is refused with the id of that process", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "store.duckdb");
    const child = spawn(process.execPath, [holder, path], { stdio: ["pipe", "pipe", "inherit"] });
    try {
      await once(child.stdout, "data");
      const message = await refusal(path);
      expect(message).toContain(`${path}: is in use by another process (`);
      expect(message).toContain(`PID ${child.pid})`);
    } finally {
      child.stdin.end();
      await once(child, "exit");
    }
    expect(await refusal(path)).toBe("no refusal");
  });

  it("is free for another process once it is closed, also where a result was not read to its end", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "store.duckdb");
    const database = await Database.open({ path, threads: 1 });
    await database.execute("CREATE TABLE t AS SELECT range::VARCHAR AS text FROM range(100000)");
    const sql = "SELECT text FROM t";
    for await (const [text] of database.texts({ sql, values: [] })) if (text === "0") break;
    for await (const rows of database.snapshot(([at]) => at.stream({ sql, values: [] }))) if (rows.count > 0) break;
    const session = await database.session(() => []);
    for await (const [row] of session.select(sql)) if (row !== "") break;
    session.close();
    await database.close();
    expect(spawnSync(process.execPath, [holder, path], { input: "" }).status).toBe(0);
  });

  it.each([
    ["text", "this is not a database\n".repeat(500)],
    ["the start of a gzip file", "\u001f\u008b".repeat(5000)],
    ["a few bytes", "x"],
  ])("that contains %s is refused and not changed", async (_what, content) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "store.duckdb");
    await writeFile(path, content);
    expect(await refusal(path)).toMatch(/store\.duckdb: is not a Census store, or is damaged: IO Error: /);
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it("that is a folder is refused", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "store.duckdb");
    await mkdir(path);
    expect(await refusal(path)).toContain(`${path}: `);
  });

  it("below a file is refused with the folder that cannot be created", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    expect(await refusal(join(file, "data", "store.duckdb"))).toContain(
      `${join(file, "data")}: cannot make this folder`,
    );
  });

  it("in a folder that is not writable is refused", async () => {
    await using folder = await temporaryFolder();
    const locked = join(folder.path, "locked");
    await mkdir(locked);
    await chmod(folder.path, 0o755);
    await chmod(locked, 0o555);
    expect(await withoutRoot(() => refusal(join(locked, "store.duckdb")))).toBe(
      `${join(locked, "store.duckdb")}: is not writable; check its owner and mode`,
    );
  });
});
