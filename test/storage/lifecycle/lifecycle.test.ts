import { describe, expect, it } from "vitest";
import { type Operation, operationNames } from "#storage/lifecycle/operation.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { a, fieldOf, submitted } from "#test/fixture-store.ts";
import { clean, type Maintained, maintainedStore } from "#test/storage/lifecycle/maintained.ts";

function begun({ events }: Maintained): Operation[] {
  return events.flatMap((event) => (event.kind === "started" ? [event.operation] : []));
}

describe("a maintenance run (reference/lifecycle.md §6)", () => {
  it.each<[requested: Operation[], done: Operation[]]>([
    [
      ["gc_fact_paths", "expire_nodes"],
      ["expire_nodes", "gc_fact_paths"],
    ],
    [
      ["purge_resource_events", "gc_packages"],
      ["gc_packages", "purge_resource_events"],
    ],
    [
      ["purge_resource_events", "gc_packages", "purge_reports"],
      ["purge_reports", "gc_packages"],
    ],
    [
      ["gc_catalogs", "other", "purge_nodes"],
      ["purge_nodes", "other", "gc_catalogs"],
    ],
    [
      [...operationNames],
      ["expire_nodes", "purge_nodes", "purge_reports", "gc_packages", "other", "gc_catalogs", "gc_fact_paths"],
    ],
  ])("of %j starts the operations %j, in this order", async (requested, done) => {
    await using maintained = await maintainedStore();
    await clean(maintained.store, ...requested);
    expect(begun(maintained)).toEqual(done);
  });

  it("expires before it purges, and collects what the purge left", async () => {
    await using maintained = await maintainedStore({ retention: { nodePurgeTtl: -1n } });
    const { store } = maintained;
    await submitted(store, a.facts("web", { producer_timestamp: "2026-01-01T00:00:00Z", environment: "gone" }));
    await store.lifecycle.clean(cleanEverything);
    expect(await fieldOf(store, "nodes", "certname")).toEqual([]);
    expect(await fieldOf(store, "environments", "name")).toEqual([]);
    expect(await fieldOf(store, "fact_paths", "path")).toEqual([]);
  });

  it("reports its current operations, ordered by name (reference/lifecycle.md §7.4)", async () => {
    await using maintained = await maintainedStore();
    const { lifecycle } = maintained.store;
    expect(lifecycle.cleaning).toBe("");
    const running = lifecycle.clean(cleanEverything);
    expect(lifecycle.cleaning).toBe(
      "expiring-nodes catalog-gc fact-paths-gc package-gc other purging-nodes purging-reports purging-resource-events",
    );
    await running;
    expect(lifecycle.cleaning).toBe("");
  });

  it("is refused during another one, which continues", async () => {
    await using maintained = await maintainedStore();
    const { lifecycle } = maintained.store;
    const running = clean(maintained.store, "expire_nodes");
    await expect(lifecycle.clean(cleanEverything)).rejects.toMatchObject({
      code: "conflict",
      message: "Another cleanup is already in progress",
    });
    await running;
    await clean(maintained.store, "gc_packages");
    expect(begun(maintained)).toEqual(["expire_nodes", "gc_packages"]);
  });

  it("does not block the deletion of a node", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, a.facts("web"));
    const running = store.lifecycle.clean(cleanEverything);
    await store.lifecycle.deleteNode("web");
    await running;
    expect(await fieldOf(store, "nodes", "certname")).toEqual([]);
  });

  it("ends early when the store is closed", async () => {
    const { store, events } = await maintainedStore();
    const running = store.lifecycle.clean(cleanEverything);
    await store.close();
    await running;
    expect(events.length).toBeLessThanOrEqual(2);
    expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
  });

  it("does not delete data of commands that arrive before, during and after it", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    const names = Array.from({ length: 40 }, (_, n) => `node-${String(n).padStart(2, "0")}`);
    const submissions = names.map((name) => store.submit(a.facts(name, { values: { name, os: { name } } })));
    const running = (async () => {
      for (let run = 0; run < 10; run++) await store.lifecycle.clean(cleanEverything);
    })();
    expect(new Set(await Promise.all(submissions))).toEqual(new Set(["stored"]));
    await running;
    expect(await fieldOf(store, "facts", "value", ["=", "name", "name"])).toEqual(names);
    expect(await fieldOf(store, "fact_contents", "value", ["=", "name", "os"])).toEqual(names);
  });
});
