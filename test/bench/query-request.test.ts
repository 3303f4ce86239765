import { describe, expect, it } from "vitest";
import { benchQueries } from "./queries.ts";
import { planOf, targetOf } from "./query-request.ts";

describe("the queries that are measured", () => {
  it.each(benchQueries.map((query) => [query.name, query] as const))("include the valid query %s", (_name, query) => {
    expect(planOf(query, { purgeHorizon: 0n }).rows.sql).toMatch(/\bSELECT\b/);
  });

  it("are requested with their parameters as text", () => {
    const query = {
      name: "page",
      shows: "",
      path: "/nodes",
      of: { entity: "nodes", activeOnly: true },
      query: '["=","certname","a"]',
      orderBy: [{ field: "certname", descending: true }],
      limit: 5,
    };
    const url = new URL(targetOf(query), "http://census");
    expect(url.pathname).toBe("/pdb/query/v4/nodes");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      query: '["=","certname","a"]',
      order_by: '[{"field":"certname","order":"desc"}]',
      limit: "5",
    });
  });
});
