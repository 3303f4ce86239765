import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startService } from "#app/service.ts";
import { Database } from "#storage/engine/database.ts";
import { Store } from "#storage/store.ts";
import { a, rowsOf } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { damageBlock, leftBehind, opened, options, report } from "./damaged.ts";

describe("a damaged block", () => {
  it("is reported by queries, commands, status and metrics; queries of other blocks succeed", async () => {
    await using left = await leftBehind();
    await opened(left);
    await damageBlock(left.path, "reports", "hash");
    const notices: string[] = [];
    const store = await Store.open({ ...options, directory: left.directory, onNotice: (text) => notices.push(text) });
    const service = await startService({ store });
    const get = async (path: string, body?: string): Promise<{ status: number; text: string }> => {
      const init = body === undefined ? {} : { method: "POST", body, headers: { "content-type": "application/json" } };
      const response = await fetch(`${service.url}${path}`, init);
      return { status: response.status, text: await response.text() };
    };
    try {
      const words =
        /census\.duckdb: is damaged: .*computed checksum \d+ does not match stored checksum .*Restore a backup.*census verify/;
      expect(await get("/pdb/query/v4/reports")).toEqual({ status: 503, text: expect.stringMatching(words) });
      expect((await get("/pdb/query/v4/factsets")).status).toBe(200);
      const { certname, payload } = a.facts("new");
      const command = `/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}`;
      expect(await get(command, payload)).toEqual({ status: 503, text: expect.stringMatching(words) });
      const status = await get("/status/v1/services/puppetdb-status");
      expect(status.status).toBe(503);
      expect(JSON.parse(status.text)).toMatchObject({
        state: "error",
        status: { "write_db_up?": false, problem: expect.stringMatching(words) },
      });
      expect((await get("/metrics")).text).toMatch(/^puppetdb_storage_damages\S* 1$/m);
      expect(notices).toEqual([
        expect.stringMatching(/is damaged: .*no commands are accepted.*Restore a backup.*census verify/),
      ]);
    } finally {
      await service.close();
      await store.close();
    }
  });

  it("keeps commands that need it in the queue", async () => {
    await using left = await leftBehind();
    await opened(left);
    await damageBlock(left.path, "nodes", "certname");
    const stalled = Promise.withResolvers<Error>();
    const store = await Store.open({
      ...options,
      directory: left.directory,
      onCommand: (event) => {
        if (event.kind === "stalled") stalled.resolve(event.error);
      },
    });
    await store.accept(report(20));
    expect((await stalled.promise).message).toMatch(/is damaged: .*computed checksum/);
    await expect(store.accept(report(21))).rejects.toMatchObject({ code: "unavailable" });
    expect(store.queueDepth).toBe(1);
    await store.close();
  });
});

describe("a file that is replaced while the store is open", () => {
  it("is detected, and no command is stored until the file is back", async () => {
    await using left = await leftBehind();
    const store = await Store.open({ ...options, directory: left.directory });
    await store.submit(report(20));
    const away = `${left.path}.away`;
    await rename(left.path, away);
    await copyFile(away, left.path);
    await expect.poll(() => store.problem).toMatch(/was replaced .* while the store was open; put the file back/);
    await expect(store.accept(report(21))).rejects.toMatchObject({ code: "unavailable" });
    await rename(away, left.path);
    await expect.poll(() => store.problem).toBeUndefined();
    await store.submit(report(21));
    expect(await rowsOf(store, "reports")).toHaveLength(12);
    await store.close();
  });
});

describe("a DuckDB database that is not a store", () => {
  it("is refused and not changed", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "census.duckdb");
    const foreign = await Database.open({ path, threads: 1 });
    await foreign.execute("CREATE TABLE sales AS SELECT 1 AS amount");
    await foreign.checkpoint();
    await foreign.close();
    await expect(Store.open({ ...options, directory: folder.path })).rejects.toMatchObject({
      code: "bad-file",
      message: `${path}: is not a Census store: it contains other tables ("sales") and is not changed; name another directory`,
    });
    const again = await Database.open({ path, readOnly: true, threads: 1 });
    expect(await again.rows("SELECT table_name AS name FROM duckdb_tables()")).toEqual([{ name: "sales" }]);
    await again.close();
    await rm(path);
  });
});
