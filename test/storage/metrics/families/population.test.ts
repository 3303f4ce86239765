import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { populationMetrics } from "#storage/metrics/families/population.ts";
import { Registry } from "#storage/metrics/registry.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { hand, type Hand } from "../hand.ts";

let database: Database;
let clock: Hand;
let registry: Registry;
beforeAll(async () => {
  database = await Database.open();
  await migrate(database);
  clock = hand();
  registry = new Registry(clock.ticks);
  populationMetrics(registry, database);
});
afterAll(() => database.close());

async function shown(name: string): Promise<unknown> {
  const gauge = registry.find("population", name);
  return gauge?.kind === "gauge" ? gauge.read() : undefined;
}

describe("the population", () => {
  it("of an empty store", async () => {
    const names = ["num-nodes", "num-active-nodes", "num-inactive-nodes", "num-resources", "pct-resource-dupes"];
    expect(await Promise.all(names.map(shown))).toEqual([0, 0, 0, 0, 0]);
    await expect(shown("avg-resources-per-node")).rejects.toThrow("Divide by zero");
  });

  it("of nodes without resources", async () => {
    await database.execute("INSERT INTO nodes (id, certname) VALUES (9, 'z')");
    clock.advance(60_000);
    expect(await Promise.all(["avg-resources-per-node", "pct-resource-dupes"].map(shown))).toEqual([0, 0]);
    await database.execute("DELETE FROM nodes");
  });

  it("counts nodes by state, resources, and distinct resources", async () => {
    await database.execute(`INSERT INTO nodes (id, certname, deactivated, expired) VALUES
      (1, 'a', NULL, NULL), (2, 'b', NULL, NULL), (3, 'c', now()::TIMESTAMP, NULL), (4, 'd', NULL, now()::TIMESTAMP)`);
    // Two entries of one identity: they differ in what the identity does not cover.
    await database.execute(`INSERT INTO resources (id, digest, hash, type, title, tags, exported, parameters) VALUES
      (1, 'd1', 'h1', 'File', '/a', [], false, '{}'), (2, 'd2', 'h1', 'File', '/a', ['x'], false, '{}'),
      (3, 'd3', 'h3', 'File', '/b', [], false, '{}')`);
    await database.execute(
      "INSERT INTO catalog_resources SELECT unnest([1, 1, 2, 2, 3]), unnest([1, 3, 2, 3, 3]), 'File'",
    );
    clock.advance(60_000);
    const names = ["num-nodes", "num-active-nodes", "num-inactive-nodes", "num-resources", "avg-resources-per-node"];
    expect(await Promise.all(names.map(shown))).toEqual([2, 2, 2, 5, "5/4"]);
    expect(await shown("pct-resource-dupes")).toBe("3/5");
  });

  it("is counted again after at most a minute", async () => {
    await database.execute("INSERT INTO catalog_resources VALUES (2, 3, 'File')");
    clock.advance(1000);
    expect(await shown("num-resources")).toBe(6);
    expect(await shown("pct-resource-dupes")).toBe("3/5");
    clock.advance(59_000);
    expect(await shown("pct-resource-dupes")).toBe("2/3");
  });
});
