import { describe, expect, it } from "vitest";
import { type KnownNodes, Planner } from "#storage/query/planner.ts";
import type { Question } from "#storage/query/query.ts";

const counted: Question = { of: "root", pql: "facts[count()]{ name = 'kernel' }" };
const ofOneNode: Question = { of: "root", pql: "facts[count()]{ certname = 'web' }" };
const ofInactive: Question = { of: "root", pql: "nodes{ node_state = 'inactive' }" };

/** A planner, and what it is told: to be changed by a test. */
function planner(told: { inactive?: KnownNodes["inactive"]; id?: number; now?: bigint } = {}): Planner {
  return new Planner({
    nodes: {
      nodeOf: () => told.id,
      get inactive() {
        return told.inactive;
      },
    },
    purgeHorizon: () => told.now ?? 0n,
    countsCorrective: false,
  });
}

describe("the plan of a question", () => {
  it("is made once, as long as it is the same object", () => {
    const made = planner();
    expect(made.plan(counted)).toBe(made.plan(counted));
    expect(made.plan({ ...counted })).not.toBe(made.plan(counted));
    const events = { query: ["=", "latest_report?", true], summarizeBy: "certname" };
    expect(made.planCounts(events)).toBe(made.planCounts(events));
  });

  it("goes with the time where it says from when on nodes are purged", () => {
    const told = { now: 1n };
    const made = planner(told);
    expect(made.plan(ofInactive).rows.values).toEqual([{ micros: 1n }]);
    told.now = 2n;
    expect(made.plan(ofInactive).rows.values).toEqual([{ micros: 2n }]);
  });

  it("goes with a node's id, which may have become known or another one", () => {
    const told: { id?: number } = {};
    const made = planner(told);
    expect(made.plan(ofOneNode).rows.values).toEqual(["web"]);
    told.id = 7;
    expect(made.plan(ofOneNode).rows.values).toEqual([7]);
    told.id = 8;
    expect(made.plan(ofOneNode).rows.values).toEqual([8]);
  });

  it("goes with what is known of inactive nodes", () => {
    const told: { inactive?: KnownNodes["inactive"] } = {};
    const made = planner(told);
    expect(made.plan(counted).rows.sql).toContain("JOIN nodes");
    expect(made.plan(counted).instead).toBeUndefined();
    let holds = true;
    told.inactive = { digits: "01", holds: () => holds };
    const plan = made.plan(counted);
    expect(plan.rows.sql).not.toContain("JOIN nodes");
    expect(plan.rows.values).toContain("010");
    // As long as the same holds, though another object says so.
    told.inactive = { digits: "01", holds: () => true };
    expect(made.plan(counted)).toBe(plan);
    expect(plan.instead?.()).toBeUndefined();
    holds = false;
    expect(plan.instead?.()?.rows.sql).toContain("JOIN nodes");
    expect(made.plan(counted)).not.toBe(plan);
    told.inactive = { digits: "", holds: () => true };
    expect(made.plan(counted).rows.sql).not.toContain("get_bit");
  });
});
