import { describe, expect, it } from "vitest";
import { type Json, parseJson } from "#storage/json.ts";
import { jsonbContains, requiredText, TooManySteps } from "#storage/jsonb/contains.ts";

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

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("containment of long arrays", () => {
  const long = 40_000;

  it.each<[string, (index: number) => Json]>([
    ["texts", (index) => `e${index}`],
    ["numbers", (index) => index],
    ["objects", (index) => ({ id: index, tags: ["a", `t${index}`] })],
    ["arrays", (index) => [index, [`x${index}`]]],
  ])("of %s compares each element once", (_name, element) => {
    const outer = range(long).map(element);
    expect(jsonbContains(outer, outer.toReversed())).toBe(true);
    expect(jsonbContains(outer, [...outer, element(long)])).toBe(false);
    expect(jsonbContains(outer.slice(1), outer)).toBe(false);
  });

  it("distinguishes elements that look alike", () => {
    const outer = range(20).map((index) => ({ a: [[index], [index + 1]] }));
    expect(jsonbContains(outer, [...outer, { a: [[3, 4]] }])).toBe(false);
    expect(jsonbContains([...outer, { a: [[3, 4, 5]] }], [...outer, { a: [[3, 4]] }])).toBe(true);
    expect(jsonbContains(outer, [...outer, {}, { a: [] }, { a: [[]] }])).toBe(true);
    expect(jsonbContains(outer, [...outer, []])).toBe(false);
  });

  it("is refused for many elements that are all alike", () => {
    const outer = range(2 ** 12).map(pairsOf);
    expect(() => jsonbContains(outer, outer.toReversed())).toThrow(TooManySteps);
  });
});

/** Texts paired in one of two ways, by the bits of a number: all of them have the same texts in the same places. */
function pairsOf(number: number): Json {
  return Array.from({ length: 12 }, (_, place): Json => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((letter) => `${letter}${place}`) as [string, string, string, string];
    return ((number >> place) & 1) === 0
      ? [
          [a, b],
          [c, d],
        ]
      : [
          [a, d],
          [c, b],
        ];
  });
}

describe("the telltale", () => {
  it.each<[Json, string | undefined]>([
    [["a", "abc", "ab"], '"abc"'],
    [{ release: ["x"] }, '"release"'],
    [{ a: [{ b: 'quoted "text"' }] }, '"a"'],
    [["ü", "a\\b", "tab\t"], undefined],
    [[1, true, null, []], undefined],
  ])("of %j is %s", (value, expected) => {
    expect(requiredText(value)).toBe(expected);
  });
});
