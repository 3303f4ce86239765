import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { a, emptyStore, NOW, submitted } from "#test/fixture-store.ts";

const day = "2026-11-20";
/** Half an hour and two hours before the clock of the service, in seconds. */
const [RECENT, LONG_AGO] = [1800, 7200];
const recent = NOW - BigInt(RECENT) * 1_000_000n;
const longAgo = NOW - BigInt(LONG_AGO) * 1_000_000n;

let service: Served;
beforeAll(async () => {
  const store = await emptyStore();
  await submitted(
    store,
    a.report("changed-1", { status: "changed" }, recent),
    a.report("changed-2", { status: "changed" }, recent),
    a.report("unchanged", { status: "unchanged" }, recent),
    a.report("old-agent", { status: null }, recent),
    a.report("failed", { status: "failed" }, recent),
    // Only the latest report counts.
    a.report("mended", { status: "failed", producer_timestamp: `${day}T01:00:00Z` }, recent),
    a.report("mended", { status: "unchanged", producer_timestamp: `${day}T02:00:00Z` }, recent),
    a.report("noop", { status: "unchanged", noop: true }, recent),
    a.report("noop-failed", { status: "failed", noop: true }, recent),
    // It only waited for changes: it is not a noop run.
    a.report("pending", { status: "changed", noop: false, noop_pending: true }, recent),
    // When it was received counts, not what the agent's or the server's clock said.
    a.report("silent", { status: "changed", producer_timestamp: `${day}T23:59:00Z` }, longAgo),
    a.report("silent-failed", { status: "failed" }, longAgo),
    a.report("silent-noop", { status: "unchanged", noop: true }, longAgo),
    a.facts("no-report"),
    a.catalog("no-report-either"),
    a.report("plan-only", { type: "plan" }, recent),
    // Neither of these is active.
    a.report("deactivated", { producer_timestamp: `${day}T01:00:00Z` }, recent),
    a.deactivation("deactivated", `${day}T02:00:00Z`),
    a.deactivation("deactivated-without-report", `${day}T02:00:00Z`),
  );
  service = await serve(store);
});
afterAll(() => service.close());

const overview = (search: string): ReturnType<Served["get"]> => service.get(`/pdb/ext/v1/state-overview${search}`);

describe("the overview of states (reference/lifecycle.md §8)", () => {
  it("counts every active node once, by the first rule that applies", async () => {
    const answer = await overview("?unresponsive_threshold=3600");
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json;charset=utf-8" } });
    expect(answer.text).toBe(
      '{\n  "unresponsive" : 3,\n  "unreported" : 3,\n  "noop" : 2,\n  "failed" : 1,\n  "unchanged" : 3,\n  "changed" : 3\n}',
    );
  });

  const known = { unreported: 3, noop: 3, failed: 2, unchanged: 3, changed: 4 };
  it.each<[threshold: string, what: string, counts: Record<string, number>]>([
    ["0", "everybody who reported is silent", { unresponsive: 12, unreported: 3 }],
    [String(RECENT - 1), "the last second decides", { unresponsive: 12, unreported: 3 }],
    [String(RECENT), "what was received just in time counts", { unresponsive: 3 }],
    [String(LONG_AGO), "nobody is silent", { unresponsive: 0, ...known }],
    ["2147483647", "the longest there is", { unresponsive: 0, ...known }],
    ["%2B7200", "a plus is part of a number", { unresponsive: 0, ...known }],
  ])("with %s s: %s", async (threshold, _what, counts) => {
    const answer = await overview(`?unresponsive_threshold=${threshold}`);
    expect(JSON.parse(answer.text)).toMatchObject(counts);
  });

  it("is all zeros if there are no nodes", async () => {
    const empty = await serve(await emptyStore());
    try {
      const answer = await empty.get("/pdb/ext/v1/state-overview?unresponsive_threshold=1");
      expect(Object.values(JSON.parse(answer.text) as object)).toEqual([0, 0, 0, 0, 0, 0]);
    } finally {
      await empty.close();
    }
  });
});

const illegal = (value: string): string =>
  `Illegal value '${value}' for :unresponsive_threshold; expected a non-negative integer.`;

describe("errors are plain text", () => {
  it.each<[search: string, text: string]>([
    ["", "Missing required query parameter 'unresponsive_threshold'"],
    ["?unresponsive_threshold", "Missing required query parameter 'unresponsive_threshold'"],
    ["?query=%5B%5D", "Missing required query parameter 'unresponsive_threshold'"],
    ["?unresponsive_threshold=60&query=%5B%5D", "Unsupported query parameter 'query'"],
    ["?unresponsive_threshold=60&limit=1", "Unsupported query parameter 'limit'"],
    ["?unresponsive_threshold=", illegal("")],
    ["?unresponsive_threshold=soon", illegal("soon")],
    ["?unresponsive_threshold=-1", illegal("-1")],
    ["?unresponsive_threshold=1.5", illegal("1.5")],
    ["?unresponsive_threshold=2147483648", illegal("2147483648")],
    [
      "?unresponsive_threshold=1&unresponsive_threshold=2",
      "Query parameter 'unresponsive_threshold' was given more than once",
    ],
  ])("%s", async (search, text) => {
    const answer = await overview(search);
    expect(answer).toMatchObject({ status: 400, text, headers: { "content-type": "text/plain;charset=utf-8" } });
  });

  it("its Accept, its method, its path", async () => {
    const path = "/pdb/ext/v1/state-overview?unresponsive_threshold=1";
    expect(await service.get(path, { accept: "text/html" })).toMatchObject({
      status: 406,
      text: expect.stringContaining("must include application/json"),
    });
    expect(await service.send("POST", path)).toMatchObject({ status: 404, text: "Not Found" });
    expect(await service.get("/pdb/ext/v1/nope")).toMatchObject({ status: 404, text: "Not Found" });
  });
});
