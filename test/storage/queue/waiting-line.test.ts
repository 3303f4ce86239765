import { describe, expect, it } from "vitest";
import type { QueueEntry } from "#storage/queue/entry.ts";
import { WaitingLine } from "#storage/queue/waiting-line.ts";
import { queued, RECEIVED } from "./entries.ts";

const at = (seconds: number): Pick<QueueEntry, "producerTimestamp"> => ({
  producerTimestamp: RECEIVED + BigInt(seconds) * 1_000_000n,
});
const all = { commands: 1000, bytes: 1e9 };

describe("commands that wait for one node become obsolete or not (reference/commands.md §2.3)", () => {
  it.each<[what: string, changes: Partial<QueueEntry>[], obsolete: number[]]>([
    ["facts: the earlier one is obsolete", [at(1), at(2)], [1]],
    ["facts: an earlier one that arrives later is obsolete", [at(2), at(1)], [2]],
    ["facts of the same time: the second is obsolete", [at(1), at(1)], [2]],
    ["facts: all but the latest of five are obsolete", [at(1), at(3), at(2), at(4), at(0)], [1, 2, 3, 5]],
    [
      "catalogs: the earlier one is obsolete",
      [1, 2].map((s) => ({ command: "replace catalog", version: 9, ...at(s) })),
      [1],
    ],
    ["facts without a time: none is obsolete", [{}, {}, {}], []],
    ["facts without a time do not affect those with one", [at(1), {}, at(2), {}], [1]],
    ["facts and catalogs do not affect each other", [at(1), { command: "replace catalog", ...at(2) }], []],
    ["commands of another node do not affect them", [at(1), { certname: "bar", ...at(2) }], []],
    ["reports: none is obsolete", [1, 2].map((s) => ({ command: "store report", version: 8, ...at(s) })), []],
    ["deactivations: none is obsolete", [1, 2].map((s) => ({ command: "deactivate node", version: 3, ...at(s) })), []],
    ["inputs: none is obsolete", [1, 2].map((s) => ({ command: "replace catalog inputs", version: 1, ...at(s) })), []],
    [
      "expirations: none is obsolete",
      [1, 2].map((s) => ({ command: "configure expiration", version: 1, ...at(s) })),
      [],
    ],
  ])("%s", (_what, changes, obsolete) => {
    const line = new WaitingLine();
    for (const [index, change] of changes.entries()) line.add(queued(index + 1, change));
    const taken = line.take(all);
    expect(taken.map(({ entry }) => entry.id)).toEqual(changes.map((_, index) => index + 1));
    expect(taken.filter(({ obsolete }) => obsolete !== undefined).map(({ entry }) => entry.id)).toEqual(obsolete);
  });

  it("a command that is being stored makes no other obsolete", () => {
    const line = new WaitingLine();
    line.add(queued(1, at(2)));
    line.take(all);
    expect(line.add(queued(2, at(1)))).toBeUndefined();
    expect(line.take(all)).toEqual([{ entry: queued(2, at(1)), result: undefined, obsolete: undefined }]);
  });

  it("adding a command returns the one that is obsolete from now on", () => {
    const line = new WaitingLine();
    expect(line.add(queued(1, at(1)))).toBeUndefined();
    expect(line.add(queued(2, at(2)))).toMatchObject({ entry: { id: 1 } });
    expect(line.add(queued(3, at(1)))).toMatchObject({ entry: { id: 3 } });
  });
});

const ids = (line: WaitingLine, limits: { commands: number; bytes: number }): number[] =>
  line.take(limits).map(({ entry }) => entry.id);
const five = (entry: Partial<QueueEntry>): Partial<QueueEntry>[] => Array.from({ length: 5 }, () => entry);

describe("the next batch of the waiting line", () => {
  it.each<[what: string, sizes: Partial<QueueEntry>[], limits: { commands: number; bytes: number }, taken: number[][]]>(
    [
      [
        "at most as many commands as the limit",
        five({ size: 1 }),
        { commands: 2, bytes: 100 },
        [[1, 2], [3, 4], [5], []],
      ],
      ["at most as many bytes as the limit", five({ size: 40 }), { commands: 9, bytes: 100 }, [[1, 2], [3, 4], [5]]],
      ["a command that is too large alone", [{ size: 500 }, { size: 1 }], { commands: 9, bytes: 100 }, [[1], [2]]],
      [
        "a gzipped command counted as eight times its bytes",
        [{ size: 1 }, { size: 20, encoding: "gzip" }, { size: 1 }],
        { commands: 9, bytes: 100 },
        [[1], [2], [3]],
      ],
    ],
  )("has %s", (_what, entries, limits, taken) => {
    const line = new WaitingLine();
    for (const [index, entry] of entries.entries()) line.add(queued(index + 1, entry));
    expect(taken.map(() => ids(line, limits))).toEqual(taken);
    expect(line.length).toBe(0);
  });

  it("counts no bytes of commands whose results are ready", () => {
    const line = new WaitingLine();
    const limits = { commands: 4, bytes: 100 };
    line.add(queued(1, { size: 90 }));
    for (const id of [2, 3])
      line.add(queued(id, { size: 90 }), { result: { problem: `result of ${id}`, isDefect: false } });
    expect(line.isWorth({ commands: 8, bytes: 200 })).toBe(false);
    line.add(queued(4, { size: 90 }));
    expect(line.isWorth({ commands: 100, bytes: 300 })).toBe(true);
    expect(line.take(limits).map(({ entry: { id }, result }) => [id, result])).toMatchObject([
      [1, undefined],
      [2, { problem: "result of 2" }],
      [3, { problem: "result of 3" }],
    ]);
    expect(ids(line, limits)).toEqual([4]);
  });

  it("is in first-in-first-out order over 10,000 commands", () => {
    const line = new WaitingLine();
    const taken: number[] = [];
    for (let id = 1; id <= 10_000; id++) {
      line.add(queued(id));
      if (id % 3 === 0) taken.push(...ids(line, { commands: 2, bytes: 1e9 }));
    }
    expect(line.length).toBe(10_000 - taken.length);
    taken.push(...ids(line, { commands: 10_000, bytes: 1e9 }));
    expect(taken).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  });
});
