import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { volatileFacts } from "#storage/history/volatile-facts.ts";
import { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { days, fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, emptyStore, fieldOf, NOW, rowsOf } from "#test/fixture-store.ts";
import { clean } from "#test/storage/lifecycle/maintained.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { kinds } from "./fixture-history.ts";

/** A node whose kernel changes each day, and whose catalogs have a file more each day. */
async function changeDaily(store: Store, certname: string): Promise<void> {
  for (const day of [17, 18, 19, 20]) {
    const at = `2026-11-${day}T10:00:00Z`;
    await store.submit(a.facts(certname, { producer_timestamp: at, values: { kernel: `6.${day}` } }));
    const file = payloads.fileResource({ parameters: { mode: String(day) } });
    await store.submit(a.catalog(certname, { producer_timestamp: at, resources: [payloads.classResource(), file] }));
  }
}

function noisy(n: number): JsonObject {
  return {
    uptime: String(n),
    memory: { system: { available_bytes: n } },
    clock: { seconds: n },
    networking: { eth0: { mtu: n, mac: `m${n}` }, mtu: n },
  };
}

async function countsOf(store: Store): Promise<number[]> {
  return Promise.all(kinds.map(async (kind) => (await rowsOf(store, kind)).length));
}

describe("recorded changes", () => {
  it("are purged when they are older than history-ttl, with the reports", async () => {
    const store = await emptyStore({ retention: { historyTtl: days(2) } });
    await changeDaily(store, "web-01");
    expect(await fieldOf(store, "fact_changes", "after")).toEqual(["6.18", "6.19", "6.20"]);
    await clean(store, "purge_reports");
    expect(await fieldOf(store, "fact_changes", "after")).toEqual(["6.19", "6.20"]);
    expect(await fieldOf(store, "resource_changes", "from")).toEqual([
      "2026-11-19T10:00:00.000Z",
      "2026-11-20T10:00:00.000Z",
    ]);
    await store.close();
  });

  it("keep the resources that they refer to until they are purged", async () => {
    let now = NOW;
    const store = await emptyStore({ clock: { now: () => now }, retention: { historyTtl: days(2) } });
    await changeDaily(store, "web-01");
    await clean(store, "gc_catalogs");
    const modes = (await rowsOf(store, "resource_changes")).map(({ before }) => JSON.stringify(before));
    expect(modes.filter((mode) => /"mode":"1[789]"/.test(mode))).toHaveLength(3);
    now += days(30);
    await clean(store, "purge_reports", "gc_catalogs");
    expect(await countsOf(store)).toEqual([0, 0, 0, 0]);
    expect(await rowsOf(store, "resources")).toHaveLength(2);
    await store.close();
  });

  it("do not change the entities of the present: fact paths are collected", async () => {
    const store = await emptyStore();
    await store.submit(
      a.facts("web-01", { producer_timestamp: "2026-11-19T10:00:00Z", values: { gone: 1, kernel: "x" } }),
    );
    await store.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T10:00:00Z", values: { kernel: "x" } }));
    await clean(store, "gc_fact_paths");
    expect(await fieldOf(store, "fact_paths", "name")).toEqual(["kernel"]);
    expect(await rowsOf(store, "fact_changes")).toMatchObject([{ what: "gone", before: 1, after: null }]);
    await store.close();
  });

  it("have the paths of their facts where ids of collected paths are used again", async () => {
    const store = await emptyStore();
    const facts = [{ kept: 1 }, { kept: 1, gone: 1 }, { kept: 2, gone: 1 }, { kept: 2 }];
    for (const values of facts) await store.submit(a.facts("web-01", { values }));
    await clean(store, "gc_fact_paths");
    for (const fresh of [1, 2]) await store.submit(a.facts("web-01", { values: { kept: 2, fresh } }));
    expect(await fieldOf(store, "fact_changes", "what")).toEqual(["fresh", "fresh", "gone", "gone", "kept"]);
    await store.close();
  });

  it("are deleted with their node, and others are not", async () => {
    const store = await emptyStore();
    await changeDaily(store, "web-01");
    const [facts, resources, , others] = await countsOf(store);
    await changeDaily(store, "web-02");
    await store.lifecycle.deleteNode("web-02");
    expect(await countsOf(store)).toEqual([facts, resources, 0, others]);
    await store.close();
  });

  it("are not recorded with a history-ttl of 0, which deletes those of before", async () => {
    await using folder = await temporaryFolder();
    const options: StoreOptions = { clock: fixedClock(NOW), directory: join(folder.path, "data") };
    const open = async (historyTtl: bigint): Promise<Store> => Store.open({ ...options, retention: { historyTtl } });
    const recording = await open(days(90));
    await changeDaily(recording, "web-01");
    expect(await rowsOf(recording, "fact_changes")).toHaveLength(3);
    await recording.close();
    const off = await open(0n);
    await off.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T11:00:00Z", values: { kernel: "7" } }));
    expect(await countsOf(off)).toEqual([0, 0, 0, 0]);
    await off.close();
    const again = await open(days(90));
    await again.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T12:00:00Z", values: { kernel: "8" } }));
    expect(await rowsOf(again, "fact_changes")).toMatchObject([{ before: "7", after: "8" }]);
    await again.close();
  });

  it("have the states of a node: deactivated, expired, active again", async () => {
    let now = NOW;
    const store = await emptyStore({ clock: { now: () => now } });
    await store.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T10:00:00Z" }));
    await store.submit(a.deactivation("web-01", "2026-11-20T11:00:00Z"));
    await store.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T12:00:00Z" }));
    now += days(30);
    await clean(store, "expire_nodes");
    const states = await rowsOf(store, "catalog_changes", ["=", "what", "state"]);
    expect(
      states.toSorted((one, other) => ((one["from"] as string) < (other["from"] as string) ? -1 : 1)),
    ).toMatchObject([
      { before: "active", after: "deactivated", from: "2026-11-20T11:00:00.000Z", until: "2026-11-20T12:00:00.000Z" },
      { before: "deactivated", after: "active", from: "2026-11-20T12:00:00.000Z", until: "2026-12-21T00:00:00.000Z" },
      { before: "active", after: "expired", from: "2026-12-21T00:00:00.000Z", until: null },
    ]);
    await store.close();
  });

  it("have digests of long values instead of the values", async () => {
    const store = await emptyStore();
    await store.submit(
      a.facts("web-01", { producer_timestamp: "2026-11-20T10:00:00Z", values: { text: "a".repeat(5000) } }),
    );
    await store.submit(
      a.facts("web-01", { producer_timestamp: "2026-11-20T11:00:00Z", values: { text: "b".repeat(5000) } }),
    );
    const digest = { bytes: 5002, sha1: expect.stringMatching(/^[0-9a-f]{40}$/) as string };
    expect(await rowsOf(store, "fact_changes")).toMatchObject([{ before: digest, after: digest }]);
    await store.close();
  });

  it("leave out volatile facts, and those that a setting adds", async () => {
    const store = await emptyStore({ volatileFacts: ["clock", "networking.*.mtu"] });
    for (const n of [1, 2]) {
      await store.submit(a.facts("web-01", { producer_timestamp: `2026-11-20T1${n}:00:00Z`, values: noisy(n) }));
    }
    expect(await fieldOf(store, "fact_changes", "what")).toEqual(["networking.eth0.mac", "networking.mtu"]);
    await store.close();
  });
});

it("the page of history lists the volatile facts", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/history.md"), "utf8");
  const [, list = ""] = /```text\n([^`]+)```/.exec(page) ?? [];
  expect(list.split(",").map((path) => path.trim())).toEqual(volatileFacts);
});
