import { describe, expect, it } from "vitest";
import { STEADY_FACTS } from "#storage/engine/table-versions.ts";
import { type ChangedParts, NodeChanges } from "#storage/nodes/node-changes.ts";
import { partsRead } from "#storage/nodes/parts-read.ts";

const changed = (...nodes: readonly (readonly [number, ChangedParts])[]): ReadonlyMap<number, ChangedParts> =>
  new Map(nodes);

const any = (): boolean => true;
const isStatus = (part: string): boolean => part === "report_status";

describe("the nodes that changed after a commit", () => {
  it("are those of which a part changed that is read, and those of which any part may have", () => {
    const changes = new NodeChanges();
    changes.note(changed([1, ["report_status"]], [2, ["facts_hash"]]));
    const first = changes.number;
    changes.note(changed([2, ["report_status", "report_hash"]], [3, []], [4, undefined], [5, ["facts_hash"]]));
    expect(changes.since(0, isStatus)?.sort()).toEqual([1, 2, 4]);
    expect(changes.since(first, isStatus)?.sort()).toEqual([2, 4]);
    expect(changes.since(first, any)?.sort()).toEqual([2, 4, 5]);
    expect(changes.since(changes.number, any)).toEqual([]);
  });

  it("are all that changed in any way, where the commit is too old", () => {
    const changes = new NodeChanges(3);
    for (let id = 1; id <= 6; id++) changes.note(changed([id, [id % 2 === 0 ? "report_status" : "facts_hash"]]));
    expect(changes.since(0, isStatus)?.sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(changes.since(2, isStatus)?.sort()).toEqual([3, 4, 5, 6]);
    expect(changes.since(3, isStatus)?.sort()).toEqual([4, 6]);
    expect(changes.since(4, isStatus)?.sort()).toEqual([6]);
  });

  it("are unknown after a change of any nodes", () => {
    const changes = new NodeChanges();
    changes.note(changed([1, []]));
    const before = changes.number;
    changes.noteAll();
    expect(changes.since(before, any)).toBeUndefined();
    const after = changes.number;
    changes.note(changed([2, ["report_status"]]));
    expect(changes.since(after, isStatus)).toEqual([2]);
  });
});

describe("a statement reads what a part of a node's row is about", () => {
  const steady = `SELECT value FROM ${STEADY_FACTS} WHERE name = $1`;
  const facts = "SELECT value FROM facts WHERE name = $1";
  const resources = "SELECT title FROM catalog_resources cr JOIN resources r ON r.id = cr.resource_id";

  it.each([
    ["facts_hash", [facts]],
    ["facts_steady_digest", [steady, facts]],
    ["facts_steady_digest IS NULL", [steady, facts]],
    ["catalog_hash", [resources]],
    ["catalog_hash IS NULL", [resources]],
    ["report_status", []],
  ])("%s", (part, expected) => {
    expect([steady, facts, resources].filter((sql) => partsRead([sql])(part))).toEqual(expected);
    expect(partsRead([steady, facts, resources])(part)).toBe(expected.length > 0);
  });

  it("any, where it reads rows of reports or names no columns", () => {
    for (const sql of ["SELECT status FROM reports", "SELECT * FROM nodes"]) {
      expect(partsRead([sql])("facts_timestamp")).toBe(true);
    }
  });
});
