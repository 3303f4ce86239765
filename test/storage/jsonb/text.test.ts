import { describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { jsonbText } from "#storage/jsonb/text.ts";

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
