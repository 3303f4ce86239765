import { describe, expect, it } from "vitest";
import type { Change, ChangeRow } from "#app/explorer/pages/changes/change.ts";
import { changeGroups, completeChanges, countChanges, lanePlaces } from "#app/explorer/pages/changes/change-groups.ts";
import type { Run } from "#app/explorer/pages/node/runs.ts";

const at = (minute: number): string => `2026-11-20T12:${String(minute).padStart(2, "0")}:00.000Z`;

function row(minute: number, what: string, transaction: string | null = null): ChangeRow {
  return { what, change: "changed", before: 1, after: 2, from: at(minute), transaction };
}

const change = (kind: Change["kind"], ...rest: Parameters<typeof row>): Change => ({ ...row(...rest), kind });

const run = (hash: string, transaction: string | null, minute: number): Run => ({
  hash,
  transaction_uuid: transaction,
  status: "changed",
  cached_catalog_status: "not_used",
  corrective_change: null,
  noop_pending: false,
  start_time: at(minute - 1),
  end_time: at(minute),
  puppet_version: null,
  producer: null,
  configuration_version: null,
});

describe("the changes of a node by run", () => {
  const runs = [run("late", "t2", 30), run("early", "t1", 10)];

  it("are those of a transaction, with its report where that is stored, the newest first", () => {
    const changes = [
      change("fact", 9, "kernel", "t1"),
      change("resource", 10, "File[/b]", "t1"),
      change("resource", 10, "File[/a]", "t1"),
      change("package", 20, "ntp", "gone"),
      change("fact", 25, "a"),
      change("fact", 25, "b"),
    ];
    const groups = changeGroups(changes, runs);
    expect(groups.map(({ key, at: time, run: of }) => [key, time, of?.hash])).toStrictEqual([
      [at(25), at(25), undefined],
      ["gone", at(20), undefined],
      ["early", at(10), "early"],
    ]);
    expect(groups[2]?.changes.map(({ what }) => what)).toStrictEqual(["kernel", "File[/a]", "File[/b]"]);
  });

  it("are counted by what changed, and how", () => {
    const changes = [
      { ...change("resource", 10, "File[/a]"), change: "added" },
      change("fact", 9, "kernel"),
      { ...change("resource", 11, "File[/b]"), change: "removed" },
      { ...change("resource", 12, "File[/c]"), change: "added" },
    ] as const;
    expect(countChanges(changes)).toStrictEqual([
      { kind: "fact", count: "1 fact", how: "1 changed" },
      { kind: "resource", count: "3 resources", how: "2 added, 1 removed" },
    ]);
  });

  it("have a place in the lane among the runs, those before the first run have none", () => {
    const groups = changeGroups(
      [change("fact", 5, "old"), change("fact", 20, "a"), change("fact", 9, "b", "t1")],
      runs,
    );
    expect(lanePlaces(groups, runs)).toStrictEqual([
      { key: "early", at: at(10), count: 1 },
      { key: at(20), at: at(20), count: 1 },
      { key: "late", at: at(30), count: 0 },
    ]);
  });

  it("are complete since the time from which no kind may lack any", () => {
    const newest = { fact: [row(30, "a"), row(20, "b")], package: [row(25, "c")], resource: [row(10, "d")], node: [] };
    expect(completeChanges(newest, 3)).toMatchObject({ since: undefined, changes: { length: 4 } });
    const { changes, since } = completeChanges(newest, 2);
    expect(since).toBe(at(20));
    expect(changes.map(({ what }) => what)).toStrictEqual(["a", "c"]);
  });
});
