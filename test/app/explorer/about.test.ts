import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { About } from "#app/explorer/api/shapes.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";
import type { Store } from "#storage/store.ts";

let service: Served;
let store: Store;
beforeAll(async () => {
  store = await emptyStore();
  service = await serve(store, {
    source: { kind: "archive", name: "export.tgz" },
    explorer: { silentAfter: 90 * 60_000 },
    queries: { timeoutDefaultMs: 30_000 },
  });
});
afterAll(() => service.close());

async function about(): Promise<Record<string, unknown>> {
  const { status, text, headers } = await service.get("/explorer/api/v1/about");
  expect([status, headers["cache-control"], headers["content-type"]]).toEqual([
    200,
    "no-store",
    "application/json;charset=utf-8",
  ]);
  return JSON.parse(text) as Record<string, unknown>;
}

describe("the endpoint about", () => {
  it("returns the version and the source, and that nothing is stored yet", async () => {
    expect(await about()).toEqual({
      version: "0.1.0",
      interface: "8.8.1",
      against: null,
      source: { kind: "archive", name: "export.tgz" },
      settings: { silentAfter: 5400, queryTimeout: 30, sql: false, site: false },
      state: "ready",
      // The fixed time of the store's clock.
      now: "2026-11-21T00:00:00.000Z",
      clock: "fixed",
      revision: expect.any(Number) as number,
      counts: { nodes: 0, inactive: 0, resources: 0, reports: 0 },
      history: null,
      span: { reports: null },
      environments: [],
      features: { packages: false, correctiveChanges: false },
      store: { commandsWaiting: 0, bytes: null, maintenance: { running: null, last: null }, origins: [] },
    });
  });

  it("returns a revision that grows with stored commands, and their counts", async () => {
    const { revision: before } = await about();
    await submitted(
      store,
      a.facts("web-01", { environment: "staging", package_inventory: [["ntp", "4.2", "apt"]] }),
      a.report("web-01", { producer_timestamp: "2026-11-20T10:00:00Z", environment: "production" }),
      a.report("web-02", { producer_timestamp: "2026-11-20T11:00:00Z", environment: "production" }),
      a.report("web-02", { producer_timestamp: "2026-11-20T10:30:00Z", environment: "production" }),
      a.deactivation("web-02", "2026-11-20T12:00:00Z"),
    );
    const after = await about();
    expect(after["revision"]).toBeGreaterThan(before as number);
    expect(after).toMatchObject({
      counts: { nodes: 1, inactive: 1 },
      environments: ["production", "staging"],
      history: "2026-11-21T00:00:00.000Z",
      features: { packages: true },
    });
    expect((await about())["revision"]).toBe(after["revision"]);
  });

  it("counts the same reports as queries", async () => {
    const { counts, span } = (await about()) as { counts: { reports: number }; span: { reports: string[] } };
    const query = encodeURIComponent("reports[producer_timestamp]{ order by producer_timestamp }");
    const { text } = await service.get(`/pdb/query/v4?query=${query}`);
    const times = (JSON.parse(text) as { producer_timestamp: string }[]).map((row) => row.producer_timestamp);
    expect(counts.reports).toBe(times.length);
    expect(span.reports).toEqual([times[0], times.at(-1)]);
  });

  it("returns the size of the file and the end of the last maintenance", async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "store");
    const kept = await emptyStore({ directory });
    await submitted(kept, a.catalog("web-01"));
    const served = await serve(kept);
    const read = async (): Promise<Pick<About, "counts" | "store">> =>
      JSON.parse((await served.get("/explorer/api/v1/about")).text) as About;

    const before = await read();
    expect(before.store.maintenance).toEqual({ running: null, last: null });
    const files = ["census.duckdb", "census.duckdb.wal"].map((name) => join(directory, name)).filter(existsSync);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(before.store.bytes).toBe(bytes);
    const { text } = await served.get("/pdb/query/v4/resources");
    expect(before.counts.resources).toBe((JSON.parse(text) as unknown[]).length);
    expect(before.counts.resources).toBeGreaterThan(0);

    await kept.lifecycle.clean({ operations: new Set(["gc_catalogs"]), purgeLimit: null });
    expect((await read()).store.maintenance).toEqual({ running: null, last: "2026-11-21T00:00:00.000Z" });
    await served.close();
  });

  it("rejects parameters, and other formats than JSON", async () => {
    expect(await service.get("/explorer/api/v1/about", { accept: "text/html" })).toMatchObject({ status: 406 });
    expect(await service.send("DELETE", "/explorer/api/v1/about")).toMatchObject({ status: 405 });
    expect(service.faults).toEqual([]);
  });
});
