import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { emptyContainers, encodePath, type FactLeaf, partsOfFact } from "#storage/wire/fact-leaves.ts";

/** reference/commands.md §3.2, reference/entities.md §3 */

function leavesOf(values: JsonObject): FactLeaf[] {
  return Object.entries(values).flatMap(([name, value]) => partsOfFact(name, value).leaves);
}

describe("leaves of facts", () => {
  it("are the scalars, depth first", () => {
    const values = parseJson(
      '{"kernel":"Linux","up":1.0,"os":{"release":{"major":"12"},"tags":["a",{"b":true}]},"n":null,"big":18446744073709551616}',
    ) as JsonObject;
    const rows = leavesOf(values).map(({ path, depth, type, value }) => [path, depth, type, value]);
    expect(rows).toEqual([
      ['["kernel"]', 0, "string", "Linux"],
      ['["up"]', 0, "float", parseJson("1.0")],
      ['["os","release","major"]', 2, "string", "12"],
      ['["os","tags",0]', 2, "string", "a"],
      ['["os","tags",1,"b"]', 3, "boolean", true],
      ['["n"]', 0, "null", null],
      ['["big"]', 0, "integer", parseJson("18446744073709551616")],
    ]);
  });

  it("do not exist in empty containers", () => {
    const values: { [key: string]: Json } = { map: {}, list: [], deep: { a: [], b: { 'c"': {} } } };
    expect(leavesOf(values)).toEqual([]);
    expect(emptyContainers(values)).toEqual([
      ['["map"]', "{}"],
      ['["list"]', "[]"],
      ['["deep","a"]', "[]"],
      ['["deep","b","c\\""]', "{}"],
    ]);
  });

  it.each([
    ["1", "integer"],
    ["-9223372036854775809", "integer"],
    ["1.0", "float"],
    ["1e3", "float"],
    ["1e+21", "float"],
    ["1.5", "float"],
  ])("%s is of type %s", (json, type) => {
    expect(leavesOf({ n: parseJson(json) })[0]?.type).toBe(type);
  });
});

describe("an encoded path", () => {
  it.each([
    [["os", "family"], "os#~family"],
    [["a", 0, "b"], "a#~0#~b"],
    [["a", "12"], 'a#~"12"'],
    [["a", ""], 'a#~""'],
    [["a", "1m"], "a#~1m"],
    [["a", "hash#~tilde"], String.raw`a#~hash\#\~tilde`],
    [["a", "back\\slash", 'quo"te'], 'a#~back\\slash#~quo"te'],
    [["# alone", "~"], "# alone#~~"],
  ])("of %j is %s", (path, expected) => {
    expect(encodePath(path)).toBe(expected);
  });
});
