import { describe, expect, it } from "vitest";
import { Planner } from "#storage/query/planner.ts";
import type { QuerySpec } from "#storage/query/query.ts";

const ofOneNode: QuerySpec = { of: "root", pql: "facts[count()]{ certname = 'web' }" };
const ofInactive: QuerySpec = { of: "root", pql: "nodes{ node_state = 'inactive' }" };

/** What a planner knows, for a test to change. */
interface World {
  id?: number;
  now?: bigint;
}

function planner(world: World = {}): Planner {
  return new Planner({
    nodes: { idOf: () => world.id },
    purgeHorizon: () => world.now ?? 0n,
    countsCorrective: false,
  });
}

describe("the plan of a query", () => {
  it("depends on the time if the query depends on when nodes are purged", () => {
    const world = { now: 1n };
    const made = planner(world);
    const first = made.plan(ofInactive);
    expect(first.rows.values).toEqual([{ micros: 1n }]);
    world.now = 2n;
    expect(made.plan(ofInactive).rows.values).toEqual([{ micros: 2n }]);
  });

  it("depends on the id of a node, if it becomes known or changes", () => {
    const world: World = {};
    const made = planner(world);
    expect(made.plan(ofOneNode).rows.values).toEqual(["web"]);
    world.id = 7;
    expect(made.plan(ofOneNode).rows.values).toEqual([7]);
    world.id = 8;
    expect(made.plan(ofOneNode).rows.values).toEqual([8]);
  });
});
