import { describe, expect, it } from "vitest";
import { dashboardQuery } from "./dashboard-queries.ts";

describe("the queries of the dashboards", () => {
  const queries = Array.from({ length: 252 }, (_, number) => dashboardQuery(number, 1000));

  it("are selective and whole-fleet by turns", () => {
    for (const [number, { kind }] of queries.entries()) {
      expect(kind).toBe(number % 2 === 0 ? "selective" : "whole-fleet");
    }
  });

  it("have every query equally often", () => {
    const often = Map.groupBy(queries, ({ kind, name }) => `${kind}: ${name}`);
    expect([...often.values()].map((some) => some.length).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(9).fill(14),
      ...Array<number>(7).fill(18),
    ]);
  });

  it("are about another node each time", () => {
    const nodes = queries.filter(({ name }) => name === "node").map(({ target }) => target);
    expect(new Set(nodes).size).toBe(nodes.length);
  });
});
