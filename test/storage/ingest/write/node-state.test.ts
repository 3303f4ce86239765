import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Outcome } from "#storage/ingest/outcome.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, nodeRow, submitted } from "#test/fixture-store.ts";

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
});
afterEach(() => store.close());

const on = (clock: string): string => `2026-11-20T${clock}Z`;

const facts = (clock: string): Submission => a.facts("web", { producer_timestamp: on(clock), values: { clock } });
const deactivation = (clock: string): Submission => a.deactivation("web", on(clock));

describe("facts and deactivations of one node (reference/lifecycle.md §1)", () => {
  it("have the outcomes observed from PuppetDB", async () => {
    const steps: [Submission, Outcome, deactivated: string | null][] = [
      [facts("10:00:00"), "stored", null],
      [deactivation("09:00:00"), "stale", null],
      [deactivation("10:00:00"), "stored", on("10:00:00.000")],
      [deactivation("09:00:00"), "stale", on("10:00:00.000")],
      [facts("10:00:00"), "unchanged", on("10:00:00.000")],
      [deactivation("12:00:00"), "stored", on("12:00:00.000")],
      [facts("11:00:00"), "stored", on("12:00:00.000")],
      [deactivation("11:30:00"), "stored", on("12:00:00.000")],
      [facts("12:00:00.001"), "stored", null],
      [facts("01:00:00"), "stale", null],
    ];
    for (const [submission, outcome, deactivated] of steps) {
      expect(await submitted(store, submission)).toEqual([outcome]);
      expect((await nodeRow(store, "web"))?.["deactivated"]).toBe(deactivated);
    }
  });
});

describe("a deactivation", () => {
  it("of an unknown node creates the node", async () => {
    expect(await submitted(store, deactivation("10:00:00"))).toEqual(["stored"]);
    expect(await nodeRow(store, "web")).toMatchObject({
      certname: "web",
      deactivated: on("10:00:00.000"),
      expired: null,
      facts_timestamp: null,
      latest_report_hash: null,
    });
  });

  it.each<[what: string, Submission, Outcome]>([
    ["a newer catalog", a.catalog("web", { producer_timestamp: on("11:00:00") }), "stale"],
    ["newer facts", a.facts("web", { producer_timestamp: on("11:00:00") }), "stale"],
    ["a newer report", a.report("web", { producer_timestamp: on("11:00:00") }), "stale"],
    ["a catalog of the same time", a.catalog("web", { producer_timestamp: on("10:00:00") }), "stored"],
    ["an older report", a.report("web", { producer_timestamp: on("09:00:00") }), "stored"],
    // neither counts as the node's data
    ["a newer plan's report", a.report("web", { producer_timestamp: on("11:00:00"), type: "plan" }), "stored"],
    ["newer inputs", a.inputs("web", { producer_timestamp: on("11:00:00") }), "stored"],
    ["a newer expiration", a.expiration("web", true, on("11:00:00")), "stored"],
  ])("of a node with %s is %s", async (_what, before, outcome) => {
    expect(await submitted(store, before, deactivation("10:00:00"))).toEqual(["stored", outcome]);
    expect((await nodeRow(store, "web"))?.["deactivated"]).toBe(outcome === "stored" ? on("10:00:00.000") : null);
  });
});

describe("a deactivated node", () => {
  it.each<[what: string, Submission]>([
    ["facts", a.facts("web", { producer_timestamp: on("11:00:00") })],
    ["a catalog", a.catalog("web", { producer_timestamp: on("11:00:00") })],
    ["a report", a.report("web", { producer_timestamp: on("11:00:00") })],
    ["a plan's report", a.report("web", { producer_timestamp: on("11:00:00"), type: "plan" })],
    ["inputs", a.inputs("web", { producer_timestamp: on("11:00:00") })],
    ["an expiration", a.expiration("web", true, on("11:00:00"))],
  ])("is active again after %s", async (_what, after) => {
    await submitted(store, deactivation("10:00:00"), after);
    expect((await nodeRow(store, "web"))?.["deactivated"]).toBeNull();
  });

  it("is active again after a stale command that is newer than the deactivation", async () => {
    // The plan's report keeps nothing alive, so the deactivation counts; inputs of 12:00 stay the newest inputs.
    const outcomes = await submitted(
      store,
      a.inputs("web", { producer_timestamp: on("12:00:00") }),
      deactivation("10:00:00"),
      a.inputs("web", { producer_timestamp: on("11:00:00") }),
    );
    expect(outcomes).toEqual(["stored", "stored", "stale"]);
    expect((await nodeRow(store, "web"))?.["deactivated"]).toBeNull();
  });
});
