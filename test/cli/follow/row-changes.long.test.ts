import { describe, expect, it } from "vitest";
import { changeId, rowChanges } from "#cli/follow/row-changes.ts";

describe("the rows that came or went", () => {
  it.each<[what: string, before: string[], after: string[], added: string[], removed: string[]]>([
    ["nothing", ['{"a":1}'], ['{"a":1}'], [], []],
    ["another order of rows and keys", ['{"a":1,"b":{"c":1,"d":2}}', "2"], ["2", '{"b":{"d":2,"c":1},"a":1}'], [], []],
    ["one of two equal rows", ['{"a":1}', '{"a":1}'], ['{"a":1}'], [], ['{"a":1}']],
    ["a value", ['{"a":[1,2]}'], ['{"a":[2,1]}'], ['{"a":[2,1]}'], ['{"a":[1,2]}']],
    [
      "a number beyond those of JavaScript",
      ['{"a":12345678901234567890}'],
      ['{"a":12345678901234567891}'],
      ['{"a":12345678901234567891}'],
      ['{"a":12345678901234567890}'],
    ],
    ["all", [], ['{"a":1}', '{"a":2}'], ['{"a":1}', '{"a":2}'], []],
  ])("%s", (_, before, after, added, removed) => {
    expect(rowChanges(before, after)).toEqual({ added, removed });
  });

  it("have an id that depends on them, their number, and nothing else", () => {
    const changes = { added: ['{"a":1,"b":2}', '{"a":2}'], removed: [] };
    const id = changeId(1, changes);
    expect(changeId(1, { added: ['{"a":2}', '{"b":2,"a":1}'], removed: [] })).toBe(id);
    expect(changeId(2, changes)).not.toBe(id);
    expect(changeId(1, { added: [], removed: changes.added })).not.toBe(id);
  });
});
