import { describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { days, type Timestamp } from "#storage/time.ts";
import { a, fieldOf, NOW, submitted } from "#test/fixture-store.ts";
import { clean, maintainedStore } from "#test/storage/lifecycle/maintained.ts";
import { event, reportResource } from "#test/storage/wire/payloads.ts";

/** A report of a day of November 2026, with one event of that day or another. */
function report(day: string, { certname = "web", of = day, type = "agent" } = {}): Submission {
  return a.report(certname, {
    producer_timestamp: `2026-11-${day}`,
    configuration_version: day,
    type,
    resources: [reportResource({ resource_title: of, events: [event({ timestamp: `2026-11-${of}` })] })],
  });
}

const reportsOf = (store: Store): Promise<string[]> =>
  fieldOf(store, "reports", "configuration_version", ["=", "type", "any"]);
const eventsOf = (store: Store): Promise<string[]> => fieldOf(store, "events", "resource_title");

/** Reports of seven days while the store keeps everything, then looked at by another clock. */
async function keptUntil(now: Timestamp, reportTtl: Timestamp, resourceEventsTtl: Timestamp | null = days(1000)) {
  const clock = { now: () => NOW - days(30) };
  const maintained = await maintainedStore({ clock, retention: { reportTtl, resourceEventsTtl } });
  return { ...maintained, look: () => void (clock.now = () => now) };
}

describe("old reports (reference/lifecycle.md §4)", () => {
  it("are deleted by UTC days of their producer timestamp, one day per run, the oldest first", async () => {
    const { store, look } = await keptUntil(NOW, days(3));
    await submitted(
      store,
      report("15T00:00:00Z"),
      report("15T23:59:59.999Z"),
      report("17T12:00:00Z"),
      report("17T23:59:59Z"),
      report("18T00:00:00Z"),
      report("20T00:00:00Z"),
    );
    look();
    const left = await reportsOf(store);
    // The horizon is the 18th: its day is kept.
    for (const gone of [2, 4, 4]) {
      await clean(store, "purge_reports");
      expect(await reportsOf(store)).toEqual(left.slice(gone));
      expect(await eventsOf(store)).toEqual(left.slice(gone));
    }
    await store.close();
  });

  it.each<[ttl: Timestamp, left: string[]]>([
    [days(2.5), ["18T01:00:00Z", "19T01:00:00Z"]],
    [days(2), ["19T01:00:00Z"]],
    // Today alone is kept, and the latest.
    [0n, ["19T01:00:00Z"]],
  ])("are kept for at least report-ttl and at most a day longer: %s µs", async (ttl, left) => {
    const { store, look } = await keptUntil(NOW, ttl);
    await submitted(store, report("17T23:00:00Z"), report("18T01:00:00Z"), report("19T01:00:00Z"));
    look();
    for (let run = 0; run < 3; run++) await clean(store, "purge_reports");
    expect(await reportsOf(store)).toEqual(left);
    await store.close();
  });

  it("are kept with their events while they are their node's latest; plans' reports never are", async () => {
    const { store, look } = await keptUntil(NOW, days(1), days(1));
    await submitted(
      store,
      report("01T10:00:00Z", { certname: "db" }),
      report("01T11:00:00Z", { certname: "web" }),
      report("01T12:00:00Z", { certname: "web", type: "plan" }),
    );
    look();
    const sweep = (): Promise<void> => clean(store, "purge_reports", "purge_resource_events");
    await sweep();
    expect(await reportsOf(store)).toEqual(["01T10:00:00Z", "01T11:00:00Z"]);
    expect(await eventsOf(store)).toEqual(["01T10:00:00Z", "01T11:00:00Z"]);
    // Superseded, it is one of many.
    await submitted(store, report("20T11:00:00Z", { certname: "web" }));
    await sweep();
    expect(await reportsOf(store)).toEqual(["01T10:00:00Z", "20T11:00:00Z"]);
    expect(await fieldOf(store, "reports", "certname", ["=", "latest_report?", true])).toEqual(["db", "web"]);
    await store.close();
  });

  it("are reported as behind when more than two days of them remain", async () => {
    const { store, events, look } = await keptUntil(NOW, days(1));
    await submitted(store, ...["01", "02", "03", "04", "05"].map((day) => report(`${day}T00:00:00Z`)));
    await submitted(store, report("20T00:00:00Z"));
    look();
    for (let run = 0; run < 3; run++) await clean(store, "purge_reports");
    const behind = events.filter(({ kind }) => kind === "behind");
    expect(behind).toEqual([
      { kind: "behind", what: "reports", days: 4 },
      { kind: "behind", what: "reports", days: 3 },
    ]);
    await store.close();
  });
});

describe("old events", () => {
  /** Reports of the 20th with events of other days; the last is the latest. */
  const reports = [
    report("20T01:00:00Z", { of: "10T00:00:00Z" }),
    report("20T02:00:00Z", { of: "10T23:00:00Z" }),
    report("20T03:00:00Z", { of: "12T00:00:00Z" }),
    report("20T04:00:00Z", { of: "18T00:00:00Z" }),
    report("20T05:00:00Z", { of: "01T00:00:00Z" }),
  ];

  it("are deleted by UTC days of their own timestamp, one per run, and their reports are kept", async () => {
    const { store, look } = await keptUntil(NOW, days(100), days(3));
    await submitted(store, ...reports);
    look();
    const left = ["01T00:00:00Z", "18T00:00:00Z"];
    for (const kept of [["01T00:00:00Z", "12T00:00:00Z", "18T00:00:00Z"], left, left]) {
      await clean(store, "purge_resource_events");
      expect(await eventsOf(store)).toEqual(kept);
    }
    expect(await reportsOf(store)).toHaveLength(5);
    await store.close();
  });

  it.each<[what: string, reportTtl: Timestamp, eventsTtl: Timestamp | null, left: string[]]>([
    ["the events' time when it is shorter", days(100), days(5), ["01T00:00:00Z", "18T00:00:00Z"]],
    ["the reports' time when that is", days(5), days(100), ["01T00:00:00Z", "18T00:00:00Z"]],
    ["nothing when events are kept", days(5), null, reports.map((_, n) => ["01", "10", "10", "12", "18"][n] ?? "")],
  ])("in a sweep of both are deleted by %s", async (_what, reportTtl, eventsTtl, left) => {
    const { store, events, look } = await keptUntil(NOW, reportTtl, eventsTtl);
    await submitted(store, ...reports);
    look();
    for (let run = 0; run < 3; run++) await clean(store, "purge_reports", "purge_resource_events");
    const kept = await eventsOf(store);
    expect(kept.map((title, n) => title.slice(0, left[n]?.length))).toEqual(left);
    // One sweep does both.
    expect(new Set(events.map((event) => ("operation" in event ? event.operation : "")))).toEqual(
      new Set(["purge_reports"]),
    );
    await store.close();
  });
});
