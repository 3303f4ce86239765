import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renewTables, tablesOf } from "./documentation.ts";
import { figuresOf } from "./figure.ts";
import type { Scenario } from "./scenario.ts";

const run = {
  started: new Date("2026-11-21T08:00:00Z"),
  nodes: 1000,
  fleet: { nodes: 20, runs: 6 },
  hour: { nodes: 500, minutes: 2 },
  peer: "7.12.1",
};

function scenario(name: string, metrics: Scenario["metrics"]): Scenario {
  return { name, shows: "", metrics, measure: () => Promise.resolve({}) };
}

describe("the page of measurements", () => {
  it("is short enough to be read: docs/performance-notes.md has the rest", () => {
    const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");
    expect(page.split("\n").length).toBeLessThanOrEqual(150);
  });

  it("gets a row with the ratio for what was compared with PuppetDB", () => {
    const compared = scenario("peer-queries/nodes", {
      peer: { unit: "milliseconds" },
      Census: { unit: "milliseconds" },
      ratio: { unit: "ratio", target: { atLeast: 5 } },
    });
    const { "peer-queries": table } = tablesOf(figuresOf(compared, { peer: [30], Census: [10], ratio: [3] }), run);
    expect(table).toMatch(/^1000 nodes; 2026-11-21; .*PuppetDB 7\.12\.1/);
    expect(table?.split("\n").slice(-3)).toEqual([
      "| what | PuppetDB | Census | ratio | bar |",
      "| --- | --- | --- | --- | --- |",
      "| nodes | 30 ms | 10 ms | 3.0 × | ≥ 5.0 ×, **missed** |",
    ]);
  });

  it("gets another row for other figures of both", () => {
    const mixed = scenario("peer-mixed, all", {
      peer: { unit: "milliseconds" },
      Census: { unit: "milliseconds" },
      ratio: { unit: "ratio", target: { atLeast: 2 } },
      "peer, stored": { unit: "commands/s" },
      "Census, stored": { unit: "commands/s" },
    });
    const samples = { peer: [30], Census: [10], ratio: [3], "peer, stored": [20], "Census, stored": [25] };
    const { "peer-mixed": table } = tablesOf(figuresOf(mixed, samples), run);
    expect(table?.split("\n").slice(-2)).toEqual([
      "| all | 30 ms | 10 ms | 3.0 × | ≥ 2.0 × |",
      "| all, stored | 20 commands/s | 25 commands/s |  |  |",
    ]);
  });

  it("gets a row for each page of the explorer, in a table for the size of the population", () => {
    const page = scenario("pages/nodes, filtered", {
      requests: { unit: "requests" },
      median: { unit: "milliseconds" },
      "95th percentile": { unit: "milliseconds", target: { atMost: 100 } },
      "nothing stored since": { unit: "milliseconds" },
      elapsed: { unit: "milliseconds" },
      "Puppetboard, requests": { unit: "requests" },
      "Puppetboard, median": { unit: "milliseconds" },
    });
    const samples = {
      requests: [5],
      median: [20, 30, 40],
      "95th percentile": [120],
      "nothing stored since": [2],
      elapsed: [25],
      "Puppetboard, requests": [3],
      "Puppetboard, median": [300],
    };
    const { "pages-1000": table } = tablesOf(figuresOf(page, samples), run);
    expect(table).toMatch(/^1000 nodes; 2026-11-21; /);
    expect(table?.split("\n").slice(-3)).toEqual([
      "| page | requests | median | 95th percentile | nothing stored since | elapsed | bar of the percentile | Puppetboard's requests | their median |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
      "| nodes, filtered | 5 | 30 ms | 120 ms | 2.00 ms | 25 ms | ≤ 100 ms, **missed** | 3 | 300 ms |",
    ]);
  });

  it("gets a row for each figure of a fleet, over all moments that were sampled", () => {
    const fleet = scenario("fleet-day", {
      hour: { unit: "hours" },
      speed: { unit: "commands/s" },
      waiting: { unit: "commands" },
      growth: { unit: "ratio", target: { atMost: 1.05 } },
    });
    const figures = figuresOf(fleet, { hour: [1, 2, 3], speed: [700, 800, 750], waiting: [3, 0, 1], growth: [1.01] });
    const { fleet: table } = tablesOf(figures, run);
    expect(table).toMatch(/^fleet of 20 nodes; /);
    expect(table?.split("\n").slice(2)).toEqual([
      "| scenario | figure | median | min – max | bar |",
      "| --- | --- | --- | --- | --- |",
      "| fleet-day | speed | 750 commands/s | 700 commands/s – 800 commands/s |  |",
      "| fleet-day | waiting | 1 commands | 0 commands – 3 commands |  |",
      "| fleet-day | growth | 1.01 × |  | ≤ 1.05 × |",
    ]);
  });

  it("gets a row for each figure of the fleet that is measured for an hour, and its plot", () => {
    const hour = scenario("fleet-hour", {
      "acknowledged, slowest": { unit: "milliseconds", target: { atMost: 2000 } },
      "maintenance, runs": { unit: "runs" },
    });
    const figures = figuresOf(hour, { "acknowledged, slowest": [2500], "maintenance, runs": [40] });
    const { "fleet-hour": table } = tablesOf(figures, run);
    expect(table).toMatch(/^500 nodes, 2 minutes; 2026-11-21; /);
    expect(table?.split("\n").slice(2)).toEqual([
      "| figure | measured | bar |",
      "| --- | --- | --- |",
      "| acknowledged, slowest | 2500 ms | ≤ 2000 ms, **missed** |",
      "| maintenance, runs | 40 runs |  |",
      "",
      "![Waiting, response times, memory and files from minute to minute](images/fleet-hour.svg)",
    ]);
  });

  it("gets a row with every size for figures that were measured at several sizes", () => {
    const metrics: Scenario["metrics"] = {
      "10 nodes": { unit: "milliseconds" },
      "100 nodes": { unit: "milliseconds" },
      growth: { unit: "ratio", target: { atMost: 2 } },
    };
    const node = figuresOf(scenario("growth/look-ups/node", metrics), {
      "10 nodes": [2],
      "100 nodes": [3],
      growth: [1.5],
    });
    const further = { ...metrics, "200 nodes": { unit: "milliseconds" } } as const;
    const all = figuresOf(scenario("growth/queries/all", further), {
      "10 nodes": [1],
      "100 nodes": [3],
      "200 nodes": [9],
      growth: [3],
    });
    const { growth: table } = tablesOf([...node, ...all], run);
    expect(table).toMatch(/^2026-11-21; /);
    expect(table?.split("\n").slice(2)).toEqual([
      "| what | 10 nodes | 100 nodes | 200 nodes | growth | bar |",
      "| --- | --- | --- | --- | --- | --- |",
      "| look-ups: node | 2.00 ms | 3.00 ms |  | 1.50 × | ≤ 2.0 × |",
      "| queries: all | 1.00 ms | 3.00 ms | 9.00 ms | 3.0 × | ≤ 2.0 ×, **missed** |",
    ]);
  });

  it("gets a row for each query that was measured alone", () => {
    const query = scenario("query/nodes", {
      answer: { unit: "milliseconds" },
      again: { unit: "milliseconds" },
      compile: { unit: "milliseconds", target: { atMost: 1 } },
    });
    const { query: table } = tablesOf(figuresOf(query, { answer: [4], again: [1], compile: [0.5] }), run);
    expect(table?.split("\n").slice(2)).toEqual([
      "| query | answer | sent again | compile | bar of compile |",
      "| --- | --- | --- | --- | --- |",
      "| nodes | 4.00 ms | 1.00 ms | 0.50 ms | ≤ 1.00 ms |",
    ]);
  });

  it("gets tables of their own for a start and for large documents, whose size is not that of the population", () => {
    const cold = figuresOf(scenario("cold-code", { "facts, when warm": { unit: "commands/s" } }), {
      "facts, when warm": [900, 1000, 1100],
    });
    const large = figuresOf(scenario("large-documents", { "facts, stored": { unit: "MB/s" } }), {
      "facts, stored": [2.25],
    });
    const { "cold-code": start, "large-documents": documents } = tablesOf([...cold, ...large], run);
    expect(start).toMatch(/^1000 nodes; 2026-11-21; /);
    expect(start).toContain("| cold-code | facts, when warm | 1000 commands/s | 900 commands/s – 1100 commands/s |  |");
    expect(documents).toMatch(/^2026-11-21; /);
    expect(documents).toContain("| large-documents | facts, stored | 2.3 MB/s |  |  |");
  });

  it("keeps text written by hand and the tables that were not measured", () => {
    const page = "# A\n<!-- one -->\nold\n<!-- end -->\ntext\n<!-- two -->\nkept\n<!-- end -->\n";
    expect(renewTables(page, { one: "| new |", three: "lost" })).toBe(
      "# A\n<!-- one -->\n| new |\n\n<!-- end -->\ntext\n<!-- two -->\nkept\n<!-- end -->\n",
    );
  });
});
