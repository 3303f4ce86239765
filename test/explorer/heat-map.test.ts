import { describe, expect, it } from "vitest";
import { heatColumns, heatRows, isFlapping, nodesToShow, type NodeRun } from "#app/explorer/pages/runs/heat-map.ts";

const from = new Date("2026-11-20T00:30:00Z");
const to = new Date("2026-11-21T00:30:00Z");

/** A run that ended at a time of that day. */
function run(certname: string, time: string, status: string, changes: Partial<NodeRun> = {}): NodeRun {
  const end_time = `2026-11-20T${time}:00Z`;
  const state = { cached_catalog_status: "not_used", corrective_change: false, noop_pending: false };
  return { certname, hash: `${certname} ${time}`, end_time, status, ...state, ...changes };
}

/** Counts of nodes, all of whose runs failed. */
function failing(nodes: number, runs: number) {
  return Array.from({ length: nodes }, (_, at) => ({ certname: `n${at}`, status: "failed", count: runs }));
}

describe("the columns of time", () => {
  it.each([
    ["24h", 3_600_000, 25],
    ["7d", 12 * 3_600_000, 15],
    ["14d", 24 * 3_600_000, 15],
    ["1h", 5 * 60_000, 13],
    ["400d", 15 * 86_400_000, 28],
  ])("cover %s", (span, width, count) => {
    const ms = Number.parseInt(span, 10) * (span.endsWith("d") ? 86_400_000 : 3_600_000);
    const columns = heatColumns(new Date(to.getTime() - ms), to);
    expect([columns.width, columns.begins.length]).toEqual([width, count]);
    expect(columns.begins[0]?.getTime()).toBeLessThanOrEqual(to.getTime() - ms);
    expect((columns.begins.at(-1)?.getTime() ?? 0) + width).toBeGreaterThan(to.getTime());
  });
});

describe("the nodes to show", () => {
  it("are those first that may have changed most often, then those that failed most often", () => {
    const counts = [
      { certname: "once", status: "failed", count: 1 },
      { certname: "once", status: "changed", count: 40 },
      { certname: "always", status: "failed", count: 48 },
      { certname: "turns", status: "failed", count: 20 },
      { certname: "turns", status: "unchanged", count: 20 },
      { certname: "turns", status: "changed", count: 8 },
    ];
    expect(nodesToShow(counts)).toEqual({ shown: ["turns", "once", "always"], all: 3 });
  });

  it("are at most fifty, and have no more runs than can be fetched", () => {
    expect(nodesToShow(failing(300, 48))).toMatchObject({ shown: { length: 50 }, all: 300 });
    expect(nodesToShow(failing(300, 1000)).shown).toHaveLength(6);
    // One is shown in any case.
    expect(nodesToShow(failing(2, 100_000)).shown).toHaveLength(1);
  });
});

describe("the rows", () => {
  const columns = heatColumns(from, to);
  const rows = heatRows(
    [
      run("stuck", "01:00", "unchanged"),
      run("stuck", "02:00", "failed"),
      run("stuck", "03:00", "failed"),
      run("stuck", "04:00", "failed"),
      run("turns", "01:10", "failed"),
      run("turns", "01:40", "changed"),
      run("turns", "02:10", "failed"),
      run("turns", "02:40", "unchanged", { cached_catalog_status: "on_failure" }),
      run("twice", "05:00", "unchanged"),
      run("twice", "05:20", "failed"),
      run("twice", "05:40", "changed"),
    ],
    columns,
  );

  it("have the nodes first that flap, those with most changes before others", () => {
    expect(rows.map((row) => [row.certname, row.changes, row.failed, row.runs, isFlapping(row)])).toEqual([
      ["turns", 3, 2, 4, true],
      ["twice", 2, 1, 3, true],
      ["stuck", 1, 3, 4, false],
    ]);
  });

  it("have in each cell the worst state of its runs, and the newest run with that state", () => {
    const [turns, twice, stuck] = rows;
    expect(turns?.cells.slice(0, 4)).toEqual([
      undefined,
      { state: "failed", hash: "turns 01:10", runs: 2 },
      { state: "failed", hash: "turns 02:10", runs: 2 },
      undefined,
    ]);
    expect(twice?.cells[5]).toEqual({ state: "failed", hash: "twice 05:20", runs: 3 });
    expect(stuck?.cells[1]).toEqual({ state: "unchanged", hash: "stuck 01:00", runs: 1 });
  });

  it("lead to the newest of several runs with the worst state, whatever ended between them", () => {
    const runs = [
      run("node", "01:00", "failed"),
      run("node", "01:10", "unchanged"),
      run("node", "01:20", "failed"),
      run("node", "01:30", "changed"),
    ];
    const [row] = heatRows(runs, columns);
    expect(row?.cells[1]).toEqual({ state: "failed", hash: "node 01:20", runs: 4 });
  });

  it("leave out runs that ended outside of the columns, and those without end", () => {
    const [row] = heatRows([{ ...run("late", "01:00", "failed"), end_time: null }], columns);
    expect(row?.cells.filter((cell) => cell !== undefined)).toEqual([]);
  });
});
