import { describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { jsonbContains, jsonbText } from "#storage/jsonb/text.ts";

describe("jsonb's text (reference/query.md §4.5, §10)", () => {
  it.each([
    ['{"b":1,"a":2}', '{"a": 2, "b": 1}'],
    // by length in bytes first, then bytewise
    ['{"aaa":1,"é":2,"bb":3,"zz":4,"B":5}', '{"B": 5, "bb": 3, "zz": 4, "é": 2, "aaa": 1}'],
    ['{"10":1,"9":2}', '{"9": 2, "10": 1}'],
    ["[1,[2,{}],[]]", "[1, [2, {}], []]"],
    ["5.0", "5.0"],
    ["5", "5"],
    ["-0", "0"],
    ["-0.0", "0.0"],
    ["-0.5", "-0.5"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ['"a\\"b\\n"', '"a\\"b\\n"'],
    ["true", "true"],
    ["null", "null"],
  ])("%s is %s", (text, expected) => {
    expect(jsonbText(parseJson(text))).toBe(expected);
  });
});

describe("containment: outer @> inner (reference/query.md §5)", () => {
  it.each([
    // scalars
    ["5", "5", true],
    ["5", "5.0", true],
    ["5e0", "5.00", true],
    ["0", "-0.0", true],
    ["5", '"5"', false],
    ["9007199254740993", "9007199254740992", false],
    ['"a"', '"a"', true],
    ['"a"', '"A"', false],
    ["null", "null", true],
    ["null", "false", false],
    ["true", "1", false],
    // objects: by subset, at every level
    ['{"a":1,"b":2}', '{"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1}', "{}", true],
    ['{"a":{"b":1,"c":2}}', '{"a":{"c":2.0}}', true],
    ['{"a":{"b":1}}', '{"a":{}}', true],
    ['{"a":1}', '{"a":{}}', false],
    ['{"a":null}', '{"a":null}', true],
    ['{"b":1}', '{"a":null}', false],
    ['{"a":1}', '{"toString":1}', false],
    // arrays: every wanted element somewhere, in any order, as often as one likes
    ["[1,2,3]", "[3,1]", true],
    ["[1,2]", "[1,1,2]", true],
    ["[1,2]", "[1,4]", false],
    ["[1,2]", "[]", true],
    ["[]", "[1]", false],
    ["[[1,2],[3]]", "[[2]]", true],
    ["[[1],[2]]", "[[1,2]]", false],
    ["[1,[2]]", "[2]", false],
    ['[{"a":1,"b":2}]', '[{"b":2}]', true],
    ['[{"a":1},{"b":2}]', '[{"a":1,"b":2}]', false],
    // kinds differ
    ["[]", "{}", false],
    ["{}", "[]", false],
    ['{"a":["x","y"]}', '{"a":"x"}', false],
    ['{"a":["x","y"]}', '{"a":["y"]}', true],
    ['"x"', '["x"]', false],
  ])("%s @> %s is %s", (outer, inner, expected) => {
    expect(jsonbContains(parseJson(outer), parseJson(inner))).toBe(expected);
  });
});
