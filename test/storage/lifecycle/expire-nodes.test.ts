import { describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import { days } from "#storage/time.ts";
import { a, fieldOf, nodeRow, submitted } from "#test/fixture-store.ts";
import { clean, maintainedStore } from "#test/storage/lifecycle/maintained.ts";

/** The clock says the 21st: seven days before it is the 14th. */
const OLD = "2026-11-13T23:59:59.999Z";
const HORIZON = "2026-11-14T00:00:00.000Z";
const NOW = "2026-11-21T00:00:00.000Z";

const facts = (at: string): Submission => a.facts("web", { producer_timestamp: at });
const catalog = (at: string): Submission => a.catalog("web", { producer_timestamp: at });
const report = (at: string, type = "agent"): Submission => a.report("web", { producer_timestamp: at, type });
const inputs = (at: string): Submission => a.inputs("web", { producer_timestamp: at });
const expiration = (facts: boolean, at: string): Submission => a.expiration("web", facts, at);

describe("a sweep expires a node (reference/lifecycle.md §2)", () => {
  it.each<[what: string, commands: Submission[], isExpired: boolean]>([
    ["with old facts", [facts(OLD)], true],
    ["with facts as old as the time allowed", [facts(HORIZON)], false],
    ["with an old catalog", [catalog(OLD)], true],
    ["with an old report", [report(OLD)], true],
    ["with old inputs", [inputs(OLD)], true],
    ["with old data of every kind", [facts(OLD), catalog(OLD), report(OLD), inputs(OLD), expiration(true, OLD)], true],
    ["unless its catalog is newer", [facts(OLD), catalog(HORIZON)], false],
    ["unless its facts are newer", [catalog(OLD), facts(HORIZON)], false],
    ["unless its latest report is newer", [facts(OLD), report(HORIZON)], false],
    ["though a plan's report is newer", [facts(OLD), report(HORIZON, "plan")], true],
    ["unless its inputs are newer", [facts(OLD), inputs(HORIZON)], false],
    ["that nothing but a plan's report is known of, at once", [report(NOW, "plan")], true],
    ["whose facts are to expire, said long ago", [facts(OLD), expiration(true, OLD)], true],
    ["unless that was said lately", [facts(OLD), expiration(true, HORIZON)], false],
    ["never when its facts are not to expire", [facts(OLD), expiration(false, OLD)], false],
    ["when its facts are to expire again", [facts(OLD), expiration(false, OLD), expiration(true, HORIZON)], false],
  ])("%s", async (_what, commands, isExpired) => {
    await using maintained = await maintainedStore();
    const { store, events } = maintained;
    await submitted(store, ...commands);
    await clean(store, "expire_nodes");
    expect(await nodeRow(store, "web")).toMatchObject({ expired: isExpired ? NOW : null, deactivated: null });
    const named = events.filter(({ kind }) => kind === "expired");
    expect(named).toEqual(isExpired ? [{ kind: "expired", certname: "web" }] : []);
  });

  it("that is active, and no other", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, facts(OLD), a.deactivation("web", HORIZON));
    await clean(store, "expire_nodes");
    expect(await nodeRow(store, "web")).toMatchObject({ expired: null, deactivated: HORIZON });
  });

  it("once, and keeps the time of the first sweep", async () => {
    let now = days(20_000);
    await using maintained = await maintainedStore({ clock: { now: () => now } });
    const { store, events } = maintained;
    await submitted(store, facts("2020-01-01T00:00:00Z"));
    await clean(store, "expire_nodes");
    const first = (await nodeRow(store, "web"))?.["expired"];
    now += days(1);
    await clean(store, "expire_nodes");
    expect((await nodeRow(store, "web"))?.["expired"]).toBe(first);
    expect(events.filter(({ kind }) => kind === "ended")).toMatchObject([{ removed: 1 }, { removed: 0 }]);
  });

  it("that newer data make active again", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, facts(OLD));
    await clean(store, "expire_nodes");
    await submitted(store, facts(HORIZON));
    // Not as new as the expiry itself.
    expect((await nodeRow(store, "web"))?.["expired"]).toBe(NOW);
    await submitted(store, facts("2026-11-21T00:00:00.001Z"));
    expect((await nodeRow(store, "web"))?.["expired"]).toBeNull();
  });
});

it("a node-ttl of 0 expires every node whose data are older than now (reference/lifecycle.md §7.1)", async () => {
  await using maintained = await maintainedStore({ retention: { nodeTtl: 0n } });
  const { store } = maintained;
  await submitted(store, facts("2026-11-20T23:59:59Z"), a.facts("db", { producer_timestamp: NOW }));
  await clean(store, "expire_nodes");
  expect(await fieldOf(store, "nodes", "certname", ["null?", "expired", false])).toEqual(["web"]);
});
