import { describe, expect, it } from "vitest";
import { AdminMetrics } from "#storage/metrics/families/admin.ts";
import { DeadLetterMetrics } from "#storage/metrics/families/dead-letters.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { Database } from "#storage/engine/database.ts";
import { poolMetrics } from "#storage/metrics/families/pools.ts";
import { ratio } from "#storage/metrics/families/population.ts";
import { storageMetrics } from "#storage/metrics/families/storage.ts";
import { Registry } from "#storage/metrics/registry.ts";
import { hand } from "../hand.ts";

describe("maintenance", () => {
  it.each([
    ["expire_nodes", "node-expirations", "node-expiration-time", undefined],
    ["purge_nodes", "node-purges", "node-purge-time", undefined],
    ["purge_reports", "report-purges", "report-purge-time", undefined],
    ["purge_resource_events", "resource-event-purges", "resource-events-purge-time", undefined],
    ["gc_packages", "package-gcs", "package-gc-time", "gc-packages-time"],
    ["gc_catalogs", "catalog-gcs", "catalog-gc-time", "gc-catalogs-time"],
    ["gc_fact_paths", "fact-path-gcs", "fact-path-gc-time", "gc-fact-paths"],
    ["other", "other-cleans", "other-clean-time", "gc-time"],
  ] as const)("%s counts as %s and is timed", (operation, counter, timer, storage) => {
    const registry = new Registry(hand().ticks);
    new AdminMetrics(registry, storageMetrics(registry), () => "").ran(operation, 12);
    const used = [...registry].flatMap(({ name, instrument }) =>
      instrument.kind !== "gauge" && instrument.count > 0 ? [name] : [],
    );
    expect(used.toSorted()).toEqual(
      [...new Set([counter, timer, ...(storage === undefined ? [] : [storage, "gc-time"])])].toSorted(),
    );
  });

  it("includes its current operations", () => {
    const registry = new Registry(hand().ticks);
    const admin = new AdminMetrics(registry, storageMetrics(registry), () => "expiring-nodes");
    expect(admin).toBeDefined();
    expect(registry.find("admin", "cleaning")).toMatchObject({ kind: "gauge" });
  });
});

describe("metrics of dead letters", () => {
  it("count letters and bytes, in total and per command", () => {
    const registry = new Registry(hand().ticks);
    const letters = new DeadLetterMetrics(registry);
    letters.added({ command: "replace facts", size: 100 });
    letters.added({ command: "store report", size: 50 });
    letters.removed({ command: "replace facts", size: 100 });
    const counts = [...registry].map(({ name, instrument }) => [
      name,
      instrument.kind === "counter" && instrument.count,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      "global.messages": 1,
      "global.filesize": 50,
      "replace facts.messages": 0,
      "replace facts.filesize": 0,
      "store report.messages": 1,
      "store report.filesize": 50,
    });
  });
});

describe("HTTP", () => {
  it("counts every response under each of its paths", () => {
    const registry = new Registry(hand().ticks);
    const http = new HttpMetrics(registry);
    http.answered(["/pdb", "/pdb/cmd/v1"], 200, 5);
    http.answered(["/pdb"], 404, 3);
    http.answered(["/pdb"], 404, 3);
    expect(registry.find("http", "/pdb.service-time")).toMatchObject({ kind: "timer", count: 3, sum: 11 });
    expect(registry.find("http", "/pdb.404")).toMatchObject({ kind: "meter", count: 2 });
    expect(registry.find("http", "/pdb/cmd/v1.200")).toMatchObject({ kind: "meter", count: 1 });
  });
});

describe("metrics of connection pools", () => {
  it("have the current figures under PuppetDB's names", async () => {
    await using place = await Database.open().then((database) => ({
      database,
      [Symbol.asyncDispose]: () => database.close(),
    }));
    const { database } = place;
    const registry = new Registry(hand().ticks);
    poolMetrics(registry, database);
    const shown = (pool: string): unknown =>
      Object.fromEntries(
        [...registry].flatMap(({ name, instrument }) =>
          instrument.kind === "gauge" && name.startsWith(`${pool}.`)
            ? [[name.split(".").at(-1), instrument.read()]]
            : [],
        ),
      );
    const answer = database.stream({ sql: "SELECT 'row'", values: [] });
    await answer.next();
    expect(shown("PDBReadPool")).toMatchObject({ ActiveConnections: 1, IdleConnections: 0, TotalConnections: 1 });
    await answer.next();
    expect(shown("PDBReadPool")).toMatchObject({ ActiveConnections: 0, IdleConnections: 1, TotalConnections: 1 });

    const second = Promise.withResolvers<void>();
    const writing = [database.transaction(() => second.promise), database.execute("SELECT 1")];
    await Promise.resolve();
    const busy = { ActiveConnections: 1, IdleConnections: 0, PendingConnections: 1, TotalConnections: 1 };
    expect(shown("PDBWritePool")).toEqual({ ...busy, MaxConnections: 1, MinConnections: 1 });
    second.resolve();
    await Promise.all(writing);
    expect(shown("PDBWritePool")).toMatchObject({ ActiveConnections: 0, IdleConnections: 1, PendingConnections: 0 });
    const counts = ["PDBReadPool.pool.Usage", "PDBReadPool.pool.ConnectionCreation", "PDBWritePool.pool.Wait"].map(
      (name) => registry.find("database", name),
    );
    expect(counts).toMatchObject([{ count: 1 }, { count: 1 }, { count: 2 }]);
  });
});

describe("a ratio", () => {
  it.each([
    [10, 5, 2],
    [0, 5, 0],
    [7, 2, "7/2"],
    [14, 4, "7/2"],
  ])("of %i to %i is %j", (a, b, expected) => expect(ratio(a, b)).toBe(expected));

  it("to 0 is null", () => expect(() => ratio(1, 0)).toThrow("Divide by zero"));
});
