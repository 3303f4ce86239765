import { describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, fieldOf, population, rowsOf, submitted } from "#test/fixture-store.ts";
import { clean, maintainedStore } from "#test/storage/lifecycle/maintained.ts";

/** The clock says the 21st: fourteen days before it is the 7th. */
const DUE = "2026-11-06T23:59:59.999Z";
const HORIZON = "2026-11-07T00:00:00.000Z";

/** Every entity that has rows of nodes, and the restriction that shows all of them. */
const ofNodes: readonly [entity: string, filter?: ["=", "type", "any"]][] = [
  ["nodes"],
  ["facts"],
  ["fact_contents"],
  ["factsets"],
  ["inventory"],
  ["package_inventory"],
  ["catalogs"],
  ["resources"],
  ["edges"],
  ["reports", ["=", "type", "any"]],
  ["events"],
  ["catalog_inputs"],
  ["catalog_input_contents"],
];

const nodes = (store: Store): Promise<string[]> => fieldOf(store, "nodes", "certname");

/** The rows of an entity, which come in any order: a statement may read two tables at once. */
async function rowsInOrder(store: Store, ...query: (typeof ofNodes)[number]): Promise<JsonObject[]> {
  const rows = await rowsOf(store, ...query);
  return rows.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** The entities that have rows of a node. */
async function entitiesWith(store: Store, certname: string): Promise<string[]> {
  const found: string[] = [];
  for (const [entity, filter] of ofNodes) {
    if ((await fieldOf(store, entity, "certname", filter)).includes(certname)) found.push(entity);
  }
  return found;
}

describe("a purge removes nodes (reference/lifecycle.md §3)", () => {
  it("that have been inactive for too long, deactivated and expired ones", async () => {
    let now = Date.parse(DUE);
    await using maintained = await maintainedStore({ clock: { now: () => BigInt(now) * 1000n } });
    const { store } = maintained;
    await submitted(store, a.report("expired", { producer_timestamp: "2026-01-01T00:00:00Z" }));
    await clean(store, "expire_nodes");
    now = Date.parse("2026-11-21T00:00:00Z");
    await submitted(
      store,
      a.deactivation("deactivated", DUE),
      a.deactivation("a moment too young", HORIZON),
      a.facts("active", { producer_timestamp: "2020-01-01T00:00:00Z" }),
    );
    await clean(store, "purge_nodes");
    expect(await nodes(store)).toEqual(["a moment too young", "active"]);
  });

  it("whose facts never expire, if they were deactivated", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, a.expiration("web", false, "2026-01-01T00:00:00Z"), a.deactivation("web", DUE));
    await clean(store, "purge_nodes");
    expect(await nodes(store)).toEqual([]);
  });

  it.each<[limit: number | null, left: number]>([
    [null, 0],
    [0, 5],
    [2, 3],
    [5, 0],
    [1_000_000, 0],
  ])("up to the limit: with %j, of 5 there remain %i", async (purgeLimit, left) => {
    await using maintained = await maintainedStore();
    const { store, events } = maintained;
    await submitted(store, ...Array.from({ length: 5 }, (_, n) => a.deactivation(`node-${n}`, DUE)));
    await store.lifecycle.clean({ operations: new Set(["purge_nodes"]), purgeLimit });
    expect(await nodes(store)).toHaveLength(left);
    expect(events).toMatchObject([
      { kind: "started", operation: "purge_nodes" },
      { kind: "ended", removed: 5 - left },
    ]);
  });

  it("that are more than fit into one transaction", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await Promise.all(Array.from({ length: 1100 }, (_, n) => store.submit(a.deactivation(`node-${n}`, DUE))));
    await clean(store, "purge_nodes");
    expect(await nodes(store)).toEqual([]);
  });

  it("but none with a negative limit, which is reported as failed, and the next operation runs", async () => {
    await using maintained = await maintainedStore();
    const { store, events } = maintained;
    await submitted(store, a.deactivation("web", DUE));
    await store.lifecycle.clean({ operations: new Set(["purge_nodes", "gc_packages"]), purgeLimit: -1 });
    expect(await nodes(store)).toEqual(["web"]);
    expect(events.map((event) => [event.kind, "operation" in event ? event.operation : ""])).toEqual([
      ["started", "purge_nodes"],
      ["failed", "purge_nodes"],
      ["started", "gc_packages"],
      ["ended", "gc_packages"],
    ]);
  });
});

describe("a node that is deleted", () => {
  it("leaves no rows behind, and other nodes are unchanged", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, ...population);
    expect(await entitiesWith(store, "alpha")).toEqual(ofNodes.map(([entity]) => entity));
    const read = (): Promise<JsonObject[][]> =>
      Promise.all(ofNodes.map(([entity, filter]) => rowsInOrder(store, entity, filter)));
    const before = await read();
    await store.lifecycle.deleteNode("alpha");
    expect(await read()).toEqual(before.map((rows) => rows.filter((row) => row["certname"] !== "alpha")));
  });

  it("is a new node when it sends data again", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    const commands = [
      a.facts("web", { package_inventory: [["ntp", "1", "apt"]] }),
      a.catalog("web"),
      a.report("web"),
      a.inputs("web"),
    ];
    await submitted(store, ...commands, a.deactivation("web", "2026-11-20T23:00:00Z"));
    await store.lifecycle.deleteNode("web");
    expect(await submitted(store, ...commands)).toEqual(["stored", "stored", "stored", "stored"]);
    expect(await entitiesWith(store, "web")).toEqual(
      ofNodes.map(([entity]) => entity).filter((entity) => entity !== "events"),
    );
  });

  it("may be unknown", async () => {
    await using maintained = await maintainedStore();
    await maintained.store.lifecycle.deleteNode("nosuch");
    expect(await nodes(maintained.store)).toEqual([]);
  });
});
