import { describe, expect, it } from "vitest";
import { type JsonObject, parseJson } from "#storage/json.ts";
import { encodePath, leavesOf } from "#storage/wire/fact-leaves.ts";

/** reference/commands.md §3.2, reference/entities.md §3 */

describe("leaves of facts", () => {
  it("are the scalars, depth first", () => {
    const values = parseJson(
      '{"kernel":"Linux","up":1.0,"os":{"release":{"major":"12"},"tags":["a",{"b":true}]},"n":null,"big":18446744073709551616}',
    ) as JsonObject;
    const rows = leavesOf(values).map((leaf) => [leaf.encoded, leaf.name, leaf.depth, leaf.type, leaf.path]);
    expect(rows).toEqual([
      ["kernel", "kernel", 0, "string", ["kernel"]],
      ["up", "up", 0, "float", ["up"]],
      ["os#~release#~major", "os", 2, "string", ["os", "release", "major"]],
      ["os#~tags#~0", "os", 2, "string", ["os", "tags", 0]],
      ["os#~tags#~1#~b", "os", 3, "boolean", ["os", "tags", 1, "b"]],
      ["n", "n", 0, "null", ["n"]],
      ["big", "big", 0, "integer", ["big"]],
    ]);
  });

  it("do not exist in empty containers", () => {
    expect(leavesOf({ map: {}, list: [], deep: { a: [], b: { c: {} } } })).toEqual([]);
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
