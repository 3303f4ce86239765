import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { JsonObject } from "#storage/json.ts";
import { days } from "#storage/time.ts";
import type { Store } from "#storage/store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, emptyStore, fieldOf, nodeRow, rowsOf, submitted } from "#test/fixture-store.ts";
import { event, reportResource } from "#test/storage/wire/payloads.ts";

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
});
afterEach(() => store.close());

const titleOf = (row: JsonObject): string => row["resource_title"] as string;

const on = (clock: string): string => `2026-11-20T${clock}Z`;

const report = (clock: string, changes: JsonObject = {}): Submission =>
  a.report("web", { producer_timestamp: on(clock), resources: [], ...changes });

const latest = (): Promise<string[]> => fieldOf(store, "reports", "status", ["=", "latest_report?", true]);

describe("the latest report (reference/commands.md §4.3)", () => {
  it.each<[what: string, Submission[], latest: string[]]>([
    [
      "newer comes later",
      [report("10:00:00", { status: "failed" }), report("11:00:00", { status: "changed" })],
      ["changed"],
    ],
    [
      "newer comes first",
      [report("11:00:00", { status: "changed" }), report("10:00:00", { status: "failed" })],
      ["changed"],
    ],
    [
      "of the same time the first keeps the place",
      [report("10:00:00", { status: "failed" }), report("10:00:00", { status: "changed", configuration_version: "2" })],
      ["failed"],
    ],
    [
      "a plan's report never is",
      [report("10:00:00", { status: "failed" }), report("11:00:00", { status: "changed", type: "plan" })],
      ["failed"],
    ],
    ["a plan's report alone", [report("11:00:00", { type: "plan" })], []],
    [
      "end times do not count",
      [report("10:00:00", { status: "failed", end_time: on("23:00:00") }), report("11:00:00", { status: "changed" })],
      ["changed"],
    ],
  ])("%s", async (_what, reports, expected) => {
    await submitted(store, ...reports);
    expect(await latest()).toEqual(expected);
    const status = (await nodeRow(store, "web"))?.["latest_report_status"];
    expect(status).toBe(expected[0] ?? null);
    expect(await rowsOf(store, "reports", ["=", "type", "any"])).toHaveLength(reports.length);
  });

  it("is the same if all arrive in one batch", async () => {
    await Promise.all(
      ["10:00:00", "12:00:00", "11:00:00"].map((clock) => store.submit(report(clock, { status: `at ${clock}` }))),
    );
    expect(await latest()).toEqual(["at 12:00:00"]);
  });

  it("is in the node's row (reference/commands.md §4.4)", async () => {
    await submitted(
      store,
      report("10:00:00", {
        end_time: on("09:59:58.987654"),
        environment: "staging",
        status: "failed",
        noop: true,
        noop_pending: false,
        job_id: "j1",
        cached_catalog_status: "explicitly_requested",
        corrective_change: true,
      }),
    );
    const [{ hash } = {}] = await rowsOf(store, "reports");
    expect(await nodeRow(store, "web")).toMatchObject({
      report_timestamp: on("09:59:58.987"),
      report_environment: "staging",
      latest_report_hash: hash,
      latest_report_status: "failed",
      latest_report_noop: true,
      latest_report_noop_pending: false,
      latest_report_job_id: "j1",
      cached_catalog_status: "explicitly_requested",
      // open-source PuppetDB stores none
      latest_report_corrective_change: null,
    });
  });
});

describe("a report that is stored already", () => {
  const other = { status: "failed", logs: [], noop: true, resources: [reportResource()] };

  it("is a duplicate if the parts that its hash covers are the same", async () => {
    const outcomes = await submitted(store, report("10:00:00"), report("10:00:00", other));
    expect(outcomes).toEqual(["stored", "duplicate"]);
    expect(await fieldOf(store, "reports", "status")).toEqual(["changed"]);
    expect(await rowsOf(store, "events")).toEqual([]);
  });

  it("is a duplicate within one batch as well", async () => {
    const outcomes = await Promise.all([store.submit(report("10:00:00")), store.submit(report("10:00:00", other))]);
    expect(outcomes).toEqual(["stored", "duplicate"]);
    expect(await rowsOf(store, "reports")).toHaveLength(1);
  });

  it.each<[what: string, Submission[]]>([
    ["when a later one has come", [report("10:00:00"), report("11:00:00"), report("10:00:00", other)]],
    ["when it was a plan's", [report("10:00:00", { type: "plan" }), report("10:00:00")]],
    ["as a plan's", [report("10:00:00"), report("10:00:00", { type: "plan" })]],
    ["when a later plan's has come", [report("10:00:00"), report("11:00:00", { type: "plan" }), report("11:00:00")]],
  ])("is a duplicate %s, also after a restart", async (_what, sent) => {
    const outcomes = sent.map((_, index) => (index === sent.length - 1 ? "duplicate" : "stored"));
    expect(await submitted(store, ...sent)).toEqual(outcomes);
    await using folder = await temporaryFolder();
    for (const [index, submission] of sent.entries()) {
      const next = await emptyStore({ directory: folder.path });
      expect(await next.submit(submission)).toBe(outcomes[index]);
      await next.close();
    }
  });

  it.each<[what: string, JsonObject]>([
    ["configuration_version", { configuration_version: "2" }],
    ["puppet_version", { puppet_version: "9.0.0" }],
    ["report_format", { report_format: 13 }],
    ["start_time", { start_time: on("01:00:00") }],
    ["transaction_uuid", { transaction_uuid: null }],
  ])("is a different report if its %s differs", async (_what, changes) => {
    expect(await submitted(store, report("10:00:00"), report("10:00:00", changes))).toEqual(["stored", "stored"]);
  });
});

const events = (): Promise<JsonObject[]> => rowsOf(store, "events");

describe("events", () => {
  it("come from the resources; a skipped one gets a generated event (reference/commands.md §4.3)", async () => {
    await submitted(
      store,
      report("10:00:00", {
        resources: [
          reportResource({ events: [] }),
          reportResource({
            resource_title: "skipped",
            skipped: true,
            timestamp: on("10:00:01"),
            events: [event({ timestamp: on("10:00:02") })],
          }),
          reportResource({
            resource_title: "changed",
            containment_path: ["Stage[main]", "Main", "Motd", "File[x]"],
            events: [event({ timestamp: on("10:00:03"), old_value: { b: 1, a: null }, new_value: null, name: "n" })],
          }),
        ],
      }),
    );
    const rows = (await events()).sort((x, y) => (titleOf(x) < titleOf(y) ? -1 : 1));
    expect(rows).toMatchObject([
      {
        resource_title: "changed",
        status: "success",
        timestamp: on("10:00:03.000"),
        containing_class: "Motd",
        containment_path: ["Stage[main]", "Main", "Motd", "File[x]"],
        old_value: { a: null, b: 1 },
        new_value: null,
        name: "n",
        corrective_change: null,
      },
      {
        resource_title: "skipped",
        status: "skipped",
        timestamp: on("10:00:01.000"),
        property: null,
        name: null,
        old_value: null,
        new_value: null,
        message: null,
      },
    ]);
  });

  it("of one identity are stored once, as the first of them", async () => {
    const twice = event({ timestamp: on("10:00:01") });
    await submitted(
      store,
      report("10:00:00", { resources: [reportResource({ events: [twice, { ...twice, corrective_change: true }] })] }),
    );
    expect(await events()).toHaveLength(1);
  });

  it.each<[ttl: string, bigint | null, stored: string[]]>([
    ["14 days", days(14), ["after", "future", "now"]],
    ["no limit", null, ["after", "at", "before", "future", "now"]],
    ["0", 0n, []],
  ])(
    "are kept or dropped by their own age: %s (reference/lifecycle.md §4)",
    async (_ttl, resourceEventsTtl, stored) => {
      await using keeping = {
        store: await emptyStore({ retention: { nodePurgeTtl: days(14), resourceEventsTtl } }),
        async [Symbol.asyncDispose]() {
          await this.store.close();
        },
      };
      // The clock says 2026-11-21T00:00:00Z.
      const times: [string, string][] = [
        ["before", "2026-11-06T23:59:59.999999Z"],
        ["at", "2026-11-07T00:00:00Z"],
        ["after", "2026-11-07T00:00:00.000001Z"],
        ["now", "2026-11-21T00:00:00Z"],
        ["future", "2026-11-21T00:00:01Z"],
      ];
      const resources = times.map(([title, timestamp]) =>
        reportResource({ resource_title: title, events: [event({ timestamp })] }),
      );
      await submitted(keeping.store, report("10:00:00", { resources }));
      expect(await fieldOf(keeping.store, "events", "resource_title")).toEqual(stored);
      expect(await rowsOf(keeping.store, "reports")).toHaveLength(1);
    },
  );
});

describe("logs and metrics", () => {
  it("are returned as they were sent; null stays null", async () => {
    const metrics = [{ category: "time", name: "total", value: 1.5 }];
    await submitted(store, report("10:00:00", { metrics, logs: null }));
    const [row] = await rowsOf(store, "reports", ["extract", ["logs", "metrics", "hash"]]);
    expect(row).toMatchObject({ metrics: { data: metrics }, logs: { data: null } });
    expect(await store.queries.reportDocument(row?.["hash"] as string, "logs")).toBeNull();
  });
});
