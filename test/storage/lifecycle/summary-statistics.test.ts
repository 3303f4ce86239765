import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, population, submitted } from "#test/fixture-store.ts";
import { maintainedStore } from "#test/storage/lifecycle/maintained.ts";
import { fileResource } from "#test/storage/wire/payloads.ts";

/** 21 numbers on straight lines between five. */
function between(...corners: readonly number[]): number[] {
  return Array.from({ length: 21 }, (_, n) => {
    const [from = 0, to = 0] = [corners[Math.floor(n / 5)], corners[Math.floor(n / 5) + 1]];
    return from + ((n % 5) / 5) * (to - from);
  });
}

/** To nine places: fractions of twentieths are none of binary. */
function rounded(quantiles: unknown): number[] {
  return (quantiles as number[]).map((quantile) => Math.round(quantile * 1e9) / 1e9);
}

describe("summary statistics (reference/lifecycle.md §7.3)", () => {
  it("of a population are its real counts", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, ...population);
    const statistics = await store.lifecycle.summaryStatistics();
    expect(statistics).toMatchObject({
      node_activity: [
        { count: 2, active: false },
        { count: 4, active: true },
      ],
      // In catalogs of 4, 2 and 1 resources, one of them a file, four of them from one manifest.
      num_resources_per_file: [{ quantiles: between(4, 4, 4, 4, 4) }],
      file_resources_per_catalog: [{ quantiles: between(1, 1, 1, 1, 1) }],
      file_resources_per_catalog_with_source: [{ quantiles: null }],
      index_usage: [],
    });
    const [perNode] = statistics["num_resources_per_node"] ?? [];
    expect(rounded(perNode?.["quantiles"])).toEqual(rounded(between(1, 1.5, 2, 3, 4)));
  });

  it("count paths by depth, structured facts among those of depth 0", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(
      store,
      a.facts("web", { values: { plain: 1, os: { name: "x", release: { major: 1, minor: 2 } } } }),
    );
    expect((await store.lifecycle.summaryStatistics())["fact_path_counts_by_depth"]).toEqual([
      { depth: 0, count: 2 },
      { depth: 1, count: 1 },
      { depth: 2, count: 2 },
    ]);
  });

  it("measure documents in bytes", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, a.report("web", { metrics: [], logs: null }));
    expect(await store.lifecycle.summaryStatistics()).toMatchObject({
      report_metric_size_dist: [{ quantiles: between(2, 2, 2, 2, 2) }],
      report_log_size_dist: [{ quantiles: null }],
    });
  });

  it("count an edge once for all catalogs whose resources are the same, parameters included", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    const other = fileResource({ parameters: { ensure: "absent" } });
    const [main] = [{ type: "Class", title: "Main", exported: false, tags: [], parameters: {} }];
    await submitted(store, a.catalog("web"), a.catalog("db"), a.catalog("app", { resources: [main, other] }));
    const { num_distinct_edges_source_target: edges } = await store.lifecycle.summaryStatistics();
    expect(edges).toEqual([{ count: 2 }]);
  });

  it("include the engine's figures of its memory and disk usage", async () => {
    await using folder = await temporaryFolder();
    const { store } = await maintainedStore({ directory: folder.path });
    await submitted(store, a.facts("web"), a.facts("db"));
    const { table_usage: tables, database_usage: database } = await store.lifecycle.summaryStatistics();
    expect(tables).toContainEqual(expect.objectContaining({ relname: "nodes", n_live_tup: 2 }));
    expect(database).toEqual([
      {
        datname: expect.stringMatching(/census\.duckdb$/),
        current_time: "2026-11-21T00:00:00.000Z",
        bytes: expect.any(Number),
        free_bytes: expect.any(Number),
      },
    ]);
    await store.close();
  });
});
