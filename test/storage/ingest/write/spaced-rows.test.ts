import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { spacersAfter } from "#storage/ingest/write/spaced-rows.ts";
import type { JsonObject } from "#storage/json.ts";
import { days } from "#storage/time.ts";
import { a, queryRows, everyRow, NOW, rowsOf, submitted } from "#test/fixture-store.ts";
import { clean, type Maintained, maintainedStore } from "#test/storage/lifecycle/maintained.ts";
import { classResource, event, fileResource, log, reportResource } from "#test/storage/wire/payloads.ts";

/** Long enough for two spacers. */
const long = "x".repeat(40_000);
const count = ["extract", [["function", "count"]]];

/** A report of a day of November 2026 whose logs and event are long. */
function report(certname: string, day: string, changes: JsonObject = {}) {
  const time = `2026-11-${day}T10:00:00Z`;
  return a.report(certname, {
    producer_timestamp: time,
    logs: [log({ message: long })],
    resources: [reportResource({ events: [event({ timestamp: time, old_value: long })] })],
    ...changes,
  });
}

let clock: { now: () => bigint };
let maintained: Maintained;
beforeEach(async () => {
  clock = { now: () => NOW - days(30) };
  maintained = await maintainedStore({ clock, retention: { reportTtl: days(3), resourceEventsTtl: days(3) } });
  await submitted(
    maintained.store,
    report("web", "15"),
    report("web", "16"),
    report("db", "16"),
    a.catalog("web", { resources: [classResource(), fileResource({ parameters: { content: long } })], edges: [] }),
    a.inputs("web", { inputs: [["hiera", long]] }),
  );
});
afterEach(() => maintained[Symbol.asyncDispose]());

/** Ids of spacers, by their tables. */
async function spacers(): Promise<Record<string, number[]>> {
  const ids = { reports: "id", events: "report_id", resources: "id", resource_parameters: "resource_id" };
  const found: Record<string, number[]> = {};
  for (const [table, id] of Object.entries({ ...ids, catalog_inputs: "node_id" })) {
    const reading = maintained.store.snapshot(async function* ([at]) {
      yield await at.rows<{ id: number }>(
        `SELECT DISTINCT ${id}::INTEGER AS id FROM ${table} WHERE ${id} < 0 ORDER BY 1 DESC`,
      );
    });
    for await (const rows of reading) found[table] = rows.map((row) => row.id);
  }
  return found;
}

describe("long rows, with spacers between them", () => {
  it("have spacers in proportion to their length, at most one vector of them", async () => {
    expect([0, 16_383, 16_384, 40_000, 10 ** 9].map(spacersAfter)).toEqual([0, 0, 1, 2, 2047]);
    const all = { reports: [-1, -2, -3], events: [-1, -2, -3], catalog_inputs: [-1] };
    expect(await spacers()).toEqual({ ...all, resources: [-2], resource_parameters: [-2] });
  });

  it("are returned without their spacers", async () => {
    const { store } = maintained;
    expect(await rowsOf(store, "reports", count)).toEqual([{ count: 3 }]);
    expect(await rowsOf(store, "reports", ["=", "type", ""])).toEqual([]);
    expect(await rowsOf(store, "events", count)).toEqual([{ count: 3 }]);
    expect(await rowsOf(store, "events", ["=", "old_value", ""])).toEqual([]);
    expect(await rowsOf(store, "resources", count)).toEqual([{ count: 2 }]);
    expect(await rowsOf(store, "resources", ["=", ["parameter", "content"], long])).toHaveLength(1);
    expect(await rowsOf(store, "catalog_input_contents")).toMatchObject([{ name: long }]);
    expect(await rowsOf(store, "catalog_inputs")).toMatchObject([{ inputs: [["hiera", long]] }]);
    const [latest] = await rowsOf(store, "reports", ["=", "certname", "db"]);
    expect(latest).toMatchObject({ logs: { data: [{ message: long }] }, resource_events: { data: [{}] } });
  });

  it("count as one event each with distinct_resources", async () => {
    const window = { start: NOW - days(60), end: NOW };
    const events = await queryRows(maintained.store, { of: everyRow("events"), distinct: window });
    expect(events).toHaveLength(2);
  });

  it("have spacers that are parameters of no resource", async () => {
    const params = ["extract", "res_param_resource", ["select_params", ["=", "res_param_value", ""]]];
    expect(await rowsOf(maintained.store, "resources", ["in", "resource", params])).toEqual([]);
  });

  it("are deleted with their spacers with their node, and shared ones by garbage collection", async () => {
    const { store } = maintained;
    await store.lifecycle.deleteNode("web");
    expect(await spacers()).toMatchObject({ reports: [-3], events: [-3], resources: [-2], catalog_inputs: [] });
    await clean(store, "gc_catalogs");
    expect(await spacers()).toMatchObject({ resources: [], resource_parameters: [] });
  });

  it("are deleted with their spacers when they are replaced", async () => {
    const later = { producer_timestamp: "2026-11-20T12:00:00Z" };
    await submitted(maintained.store, a.inputs("web", { ...later, inputs: [["hiera", "short"]] }));
    expect((await spacers())["catalog_inputs"]).toEqual([]);
  });

  it("keep their spacers while a catalog contains them", async () => {
    await clean(maintained.store, "gc_catalogs");
    expect(await spacers()).toMatchObject({ resources: [-2], resource_parameters: [-2] });
  });

  it.each(["purge_reports", "purge_resource_events"] as const)(
    "are deleted with their spacers by %s",
    async (operation) => {
      const { store, events } = maintained;
      clock.now = () => NOW;
      for (let run = 0; run < 3; run++) await clean(store, operation);
      expect(events.filter(({ kind }) => kind === "behind")).toEqual([]);
      // Latest reports stay.
      const reports = operation === "purge_reports" ? [-2, -3] : [-1, -2, -3];
      expect(await spacers()).toMatchObject({ reports, events: [-2, -3] });
      expect(await rowsOf(store, "events", count)).toEqual([{ count: 2 }]);
      expect(await rowsOf(store, "reports", count)).toEqual([{ count: reports.length }]);
    },
  );
});
