import { describe, expect, it } from "vitest";
import type { MaintenanceEvent } from "#storage/lifecycle/events.ts";
import type { Operation } from "#storage/lifecycle/operation.ts";
import { defaultRetention, keepEverything, type Retention } from "#storage/lifecycle/retention.ts";
import { jobsFor } from "#storage/lifecycle/schedule.ts";
import { days } from "#storage/time.ts";
import { a, emptyStore, fieldOf } from "#test/fixture-store.ts";

const HOUR = 3_600_000;

/** The jobs as `operations@minutes`. */
function plan(changes: Partial<Retention> = {}): string[] {
  return jobsFor({ ...defaultRetention, ...changes }).map(
    ({ interval, request }) => `${[...request.operations].join("+")}@${interval / 60_000}`,
  );
}

describe("the periodic jobs (reference/lifecycle.md §5)", () => {
  const others = ["gc_packages@60", "gc_catalogs@60", "gc_fact_paths@1440"];

  it.each<[what: string, changes: Partial<Retention>, jobs: string[]]>([
    ["by default", {}, ["expire_nodes@60", "purge_nodes@60", "purge_reports+purge_resource_events@60", ...others]],
    ["without expiry", { nodeTtl: 0n }, ["purge_nodes@60", "purge_reports+purge_resource_events@60", ...others]],
    ["without purging", { nodePurgeTtl: 0n }, ["expire_nodes@60", "purge_reports+purge_resource_events@60", ...others]],
    [
      "with events' time alone",
      { reportTtl: 0n },
      ["expire_nodes@60", "purge_nodes@60", "purge_resource_events@60", ...others],
    ],
    [
      "with reports' time alone",
      { resourceEventsTtl: 0n },
      ["expire_nodes@60", "purge_nodes@60", "purge_reports@60", ...others],
    ],
    [
      "with neither",
      { reportTtl: 0n, resourceEventsTtl: 0n },
      ["expire_nodes@60", "purge_nodes@60", "purge_reports@60", ...others],
    ],
    [
      "at intervals of their own, 0 for never",
      {
        gcIntervals: {
          expire_nodes: HOUR / 2,
          purge_nodes: 0,
          purge_reports: 2 * HOUR,
          gc_packages: 0,
          gc_catalogs: 30_000,
          gc_fact_paths: 0,
        },
      },
      ["expire_nodes@30", "purge_reports+purge_resource_events@120", "gc_catalogs@0.5"],
    ],
    ["none for archives", keepEverything, []],
  ])("%s", (_what, changes, jobs) => {
    expect(plan(changes)).toEqual(jobs);
  });

  it.each([
    [25, 25],
    [0, null],
  ])("purge at most %i nodes per run: %j", (nodePurgeBatchLimit, purgeLimit) => {
    for (const { request } of jobsFor({ ...defaultRetention, nodePurgeBatchLimit })) {
      expect(request.purgeLimit).toBe(purgeLimit);
    }
  });
});

it("jobs run periodically, by the store's clock, until the store is closed", async () => {
  let now = days(20_000);
  const sweeps = { left: 3, done: Promise.withResolvers<void>() };
  const events: MaintenanceEvent[] = [];
  const store = await emptyStore({
    clock: { now: () => now },
    retention: { gcIntervals: { ...keepEverything.gcIntervals, expire_nodes: 1, gc_packages: 1 } },
    onMaintenance: (event) => {
      events.push(event);
      if (event.kind === "ended" && event.operation === "expire_nodes" && --sweeps.left === 0) sweeps.done.resolve();
    },
  });
  await store.submit(a.facts("web", { producer_timestamp: "2024-10-04T00:00:00Z" }, now));
  now += days(8);
  await sweeps.done.promise;
  expect(await fieldOf(store, "nodes", "certname", ["null?", "expired", false])).toEqual(["web"]);
  await store.close();
  // One at a time: each ends before the next begins.
  const kinds = events.filter(({ kind }) => kind !== "expired").map(({ kind }) => kind);
  expect(kinds).toEqual(kinds.map((_, index) => (index % 2 === 0 ? "started" : "ended")));
  const operations = new Set(
    events.flatMap((event): Operation[] => (event.kind === "started" ? [event.operation] : [])),
  );
  expect(operations).toEqual(new Set(["expire_nodes", "gc_packages"]));
});
