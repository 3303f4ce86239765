import { describe, expect, it } from "vitest";
import { machineItems } from "#app/explorer/pages/node/machine.ts";
import { median, type Run, streakOf } from "#app/explorer/pages/node/runs.ts";
import { durationOf } from "#app/explorer/pages/time/format.ts";
import { isRare, sharesPql } from "#app/explorer/pages/node/shares.ts";
import { givenViews, isSameView, searchOf, viewOf } from "#app/explorer/pages/nodes/views.ts";
import { compareNaturally } from "#app/explorer/pages/table/column.ts";
import { exactNumber } from "#storage/json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

function run(status: string, end: string | null, cached = "not_used"): Run {
  return {
    hash: "h",
    transaction_uuid: null,
    status,
    cached_catalog_status: cached,
    corrective_change: null,
    noop_pending: false,
    start_time: "2026-11-20T10:00:00.000Z",
    end_time: end,
    puppet_version: null,
    producer: null,
    configuration_version: null,
  };
}

describe("runs of a node", () => {
  it("go on in the same way since the first of them", () => {
    const runs = [run("failed", "2026-11-20T12:00:00Z"), run("failed", "2026-11-20T11:00:00Z"), run("changed", null)];
    expect(streakOf(runs)).toStrictEqual({ runs: 2, since: "2026-11-20T11:00:00Z" });
    expect(streakOf([run("unchanged", "2026-11-20T12:00:00Z", "on_failure"), run("unchanged", null)])).toBeUndefined();
    expect(streakOf([])).toBeUndefined();
  });

  it("have a duration when both times are known, and a median", () => {
    expect(durationOf(run("failed", "2026-11-20T10:00:31.500Z"))).toBe(31.5);
    expect(durationOf(run("failed", null))).toBeUndefined();
    expect(durationOf(run("failed", "2026-11-20T09:00:00.000Z"))).toBeUndefined();
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toStrictEqual([2, 2.5, undefined]);
  });
});

describe("what kind of machine a node is", () => {
  it("is read from facts of Facter, and nothing from others", () => {
    expect(
      machineItems({
        os: { name: "Debian", release: { full: "12.5" }, architecture: "amd64" },
        networking: { ip: "10.0.0.1", hostname: "web" },
        processors: { count: 4, models: ["Corvid C4"] },
        memory: { system: { total_bytes: 2_147_483_648 } },
        virtual: "physical",
      }),
    ).toStrictEqual([
      ["OS", "Debian · 12.5"],
      ["Kernel", "amd64"],
      ["Addresses", "10.0.0.1"],
      ["Host name", "web"],
      ["Processors", "4 · Corvid C4"],
      ["Memory", "2.0 GiB"],
      ["Virtual", "no, physical"],
    ]);
    expect(machineItems({ os: "Debian", networking: [1], processors: { count: {} }, memory: null })).toStrictEqual([]);
    expect(machineItems(JSON.parse('{"__proto__":{"os":{"name":"x"}}}') as Record<string, never>)).toStrictEqual([]);
  });
});

describe("how common a fact's value is", () => {
  it("is queried with the value as it was written", () => {
    const leaves = [
      { path: ["os", "name"], value: "Debian" },
      { path: ["dns", 0], value: exactNumber("1.0") },
      { path: ["gone"], value: null },
    ];
    expect(sharesPql(leaves)).toBe(
      'fact_contents[path, value, count()]{ (path = ["os","name"] and value = "Debian") or (path = ["dns",0] and value = 1.0) or (path = ["gone"] and value is null) group by path, value }',
    );
    expect(parsePql(sharesPql(leaves))).toMatchObject(["from", "fact_contents", expect.anything()]);
  });

  it.each([
    ["few of many nodes that agree otherwise", { same: 2, nodes: 100, values: 4 }, true],
    ["a value that most have", { same: 90, nodes: 100, values: 4 }, false],
    ["an address, of which each node has its own", { same: 1, nodes: 100, values: 100 }, false],
    ["the only value", { same: 100, nodes: 100, values: 1 }, false],
    ["too few nodes to decide", { same: 1, nodes: 5, values: 2 }, false],
  ])("is worth a look: %s", (_which, share, expected) => {
    expect(isRare(share)).toBe(expected);
  });
});

describe("views of nodes", () => {
  it("are the same for any other parameters of the address", () => {
    const [all, failed] = givenViews(new Date("2026-11-20T12:00:00Z"));
    if (all === undefined || failed === undefined) throw new Error("there are two views at least");
    expect(isSameView(viewOf("?env=production&sel=a", ""), all)).toBe(true);
    expect(isSameView(viewOf(`?${searchOf(failed.parameters)}&env=staging`, ""), failed)).toBe(true);
    expect(isSameView(failed, all)).toBe(false);
  });
});

describe("the natural order of cells", () => {
  it("sorts numbers in texts by size, and nothing last", () => {
    const texts = ["web-10", null, "web-9", "Web-1"];
    expect(texts.sort(compareNaturally)).toStrictEqual(["Web-1", "web-9", "web-10", null]);
    expect([10, 9, undefined, 1].sort(compareNaturally)).toStrictEqual([1, 9, 10, undefined]);
    expect([true, false].sort(compareNaturally)).toStrictEqual([false, true]);
  });
});
