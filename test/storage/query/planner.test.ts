import { describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import type { InactiveSnapshot } from "#storage/nodes/inactive-nodes.ts";
import { Planner } from "#storage/query/planner.ts";
import type { CountsSpec } from "#storage/query/counts.ts";
import { QueryCache } from "#storage/query/query-cache.ts";
import type { QuerySpec } from "#storage/query/query.ts";

const counted: QuerySpec = { of: "root", pql: "facts[count()]{ name = 'kernel' }" };
const ofOneNode: QuerySpec = { of: "root", pql: "facts[count()]{ certname = 'web' }" };
const ofInactive: QuerySpec = { of: "root", pql: "nodes{ node_state = 'inactive' }" };

/** What a planner knows, for a test to change. */
interface World {
  inactive?: InactiveSnapshot;
  id?: number;
  now?: bigint;
}

function planner(world: World = {}): Planner {
  return new Planner({
    nodes: { idOf: () => world.id },
    inactiveNodes: {
      get snapshot() {
        return world.inactive;
      },
    },
    purgeHorizon: () => world.now ?? 0n,
    countsCorrective: false,
    cache: new QueryCache(),
  });
}

const events: CountsSpec = { query: ["=", "latest_report?", true], summarizeBy: "certname" };
const window = { start: 1n, end: 2n };

describe("the plan of a query", () => {
  it("is made once for all requests with the same meaning", () => {
    const made = planner();
    expect(made.plan({ ...counted })).toBe(made.plan(counted));
    expect(made.planCounts({ ...events })).toBe(made.planCounts(events));
  });

  const nodes: QuerySpec = { of: { entity: "nodes", activeOnly: false }, query: ["=", "certname", "a"] };

  it.each<[what: string, other: QuerySpec]>([
    ["entity", { ...nodes, of: { entity: "reports", activeOnly: false } }],
    ["target", { ...nodes, of: { entity: "nodes", activeOnly: true } }],
    ["restriction", { ...nodes, of: { entity: "nodes", activeOnly: false, restrictions: { certname: "a" } } }],
    ["query", { ...nodes, query: ["=", "certname", "b"] }],
    ["order", { ...nodes, orderBy: [{ field: "certname", descending: false }] }],
    ["limit", { ...nodes, limit: 1n }],
    ["offset", { ...nodes, offset: 1n }],
    ["options", { ...nodes, options: { includeFactsExpiration: true } }],
  ])("is different if the %s is different", (_what, other) => {
    const made = planner();
    const first = made.plan(nodes).rows;
    expect(made.plan(other).rows).not.toEqual(first);
    expect(made.plan(nodes).rows).toBe(first);
  });

  it("is different for 5 and 5.0, and for different time windows", () => {
    const made = planner();
    const five: QuerySpec = { of: "root", query: parseJson('["from", "facts", ["=", "value", 5]]') };
    const real: QuerySpec = { of: "root", query: parseJson('["from", "facts", ["=", "value", 5.0]]') };
    expect(made.plan(real)).not.toBe(made.plan(five));
    const distinct = made.planCounts({ ...events, distinct: window });
    expect(made.planCounts({ ...events, distinct: { ...window, end: 3n } }).rows).not.toEqual(distinct.rows);
  });

  it("depends on the time if the query depends on when nodes are purged", () => {
    const world = { now: 1n };
    const made = planner(world);
    const first = made.plan(ofInactive);
    expect(first.rows.values).toEqual([{ micros: 1n }]);
    expect(made.plan(ofInactive)).toBe(first);
    world.now = 2n;
    expect(made.plan(ofInactive).rows.values).toEqual([{ micros: 2n }]);
  });

  it("depends on the id of a node, if it becomes known or changes", () => {
    const world: World = {};
    const made = planner(world);
    expect(made.plan(ofOneNode).rows.values).toEqual(["web"]);
    world.id = 7;
    const known = made.plan(ofOneNode);
    expect(known.rows.values).toEqual([7]);
    expect(made.plan(ofOneNode)).toBe(known);
    world.id = 8;
    expect(made.plan(ofOneNode).rows.values).toEqual([8]);
  });

  it("depends on which nodes are known to be inactive", () => {
    const world: World = {};
    const made = planner(world);
    expect(made.plan(counted).rows.sql).toContain("JOIN nodes");
    expect(made.plan(counted).replan).toBeUndefined();
    let isCurrent = true;
    world.inactive = { digits: "01", isCurrent: () => isCurrent };
    const plan = made.plan(counted);
    expect(plan.rows.sql).not.toContain("JOIN nodes");
    expect(plan.rows.values).toContain("010");
    // The same nodes are inactive, in another object.
    world.inactive = { digits: "01", isCurrent: () => true };
    expect(made.plan(counted)).toBe(plan);
    expect(plan.replan?.()).toBeUndefined();
    isCurrent = false;
    expect(plan.replan?.()?.rows.sql).toContain("JOIN nodes");
    expect(made.plan(counted)).not.toBe(plan);
    world.inactive = { digits: "", isCurrent: () => true };
    expect(made.plan(counted).rows.sql).not.toContain("get_bit");
  });
});
