import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactNumber, isExactNumber, isNumber, isObject, numberText, parseJson, stringifyJson } from "#storage/json.ts";

describe("numbers keep their spelling", () => {
  it.each([
    // numbers that a JavaScript number represents exactly
    ["0", "plain"],
    ["1", "plain"],
    ["-1", "plain"],
    ["1.5", "plain"],
    ["-2.25", "plain"],
    ["1.5e-10", "plain"],
    ["9007199254740991", "plain"],
    ["9007199254740992", "plain"],
    // what it does not
    ["1.0", "exact"],
    ["5.00", "exact"],
    ["-1.0", "exact"],
    ["-0", "exact"],
    ["-0.0", "exact"],
    ["0.0", "exact"],
    ["1e5", "exact"],
    ["1E5", "exact"],
    ["1.5E-10", "exact"],
    ["6.02e23", "exact"],
    ["1e400", "exact"],
    ["1e-400", "exact"],
    ["9007199254740993", "exact"],
    ["-9007199254740993", "exact"],
    ["18446744073709551616", "exact"],
    ["123456789012345678901234567890", "exact"],
    ["0.1234567890123456789", "exact"],
    ["123456789012345678901234567890.125", "exact"],
  ])("%s is %s", (text, kind) => {
    for (const [document, pick] of [
      [text, (value: unknown) => value],
      [`[${text}]`, (value: unknown) => (value as unknown[])[0]],
      [`[ ${text} ]`, (value: unknown) => (value as unknown[])[0]],
      [`{"a":${text}}`, (value: unknown) => (value as Record<string, unknown>)["a"]],
      [`{"a":\n${text}\n,"b":1}`, (value: unknown) => (value as Record<string, unknown>)["a"]],
      [`["x",${text},"y"]`, (value: unknown) => (value as unknown[])[1]],
    ] as const) {
      const value = pick(parseJson(document));
      expect([document, isNumber(value), isExactNumber(value)]).toEqual([document, true, kind === "exact"]);
      expect(numberText(value as number)).toBe(text);
    }
  });
});

describe("a text that looks like a number", () => {
  it.each([
    ['"1.0"', "1.0"],
    ['"[1.0]"', "[1.0]"],
    ['{"1.0":"1e5"}', { "1.0": "1e5" }],
    ['"at 1e5, 9007199254740993"', "at 1e5, 9007199254740993"],
    ['["\\"","-0,"]', ['"', "-0,"]],
  ])("%s stays a text", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});

describe("texts", () => {
  it.each(['{"a":1,"a":2.0}', '[1.0,{"a":[]}]', "[]", "{}", "null", "true", '"\\u0000\\ud800"'])(
    "are written as they were read, except repeated keys: %s",
    (text) => {
      expect(stringifyJson(parseJson(text))).toBe(text.replace('"a":1,', ""));
    },
  );

  it.each(["", "[", "[1.0", "01", "1.", ".5", "+1", "NaN", "[1.0,]", "{'a':1.0}", "1.0 2.0"])(
    "that are not JSON are rejected: %j",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it("may contain a key named __proto__", () => {
    expect(stringifyJson(parseJson('{"__proto__":1.0}'))).toBe('{"__proto__":1.0}');
  });
});

describe("kinds", () => {
  it.each([
    [exactNumber("1.0"), false, true],
    [1, false, true],
    [{}, true, false],
    [[], false, false],
    [null, false, false],
    ["1", false, false],
  ])("%j", (value, object, number) => {
    expect(isObject(value)).toBe(object);
    expect(isNumber(value)).toBe(number);
  });
});

const numberTexts = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
    fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: "" }),
    fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 400 })), { nil: null }),
  )
  .map(
    ([sign, whole, fraction, power]) =>
      `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}${power === null ? "" : power.join("")}`,
  );

const documents = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    numberTexts,
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    // Texts with what looks like a number, and with the character that marks one while a text is parsed.
    fc.constantFrom('"a: 1.50, b"', '"[1.0]"', '"\\"1.0,"', '"\uf8ff1.0"', '"\uf8ff"'),
    fc.constantFrom("null", "true", "false", "[]", "{}"),
    fc.array(tie("value"), { maxLength: 4 }).map((values) => `[${values.join(",")}]`),
    fc
      .uniqueArray(fc.tuple(fc.string({ minLength: 1 }), tie("value")), { maxLength: 4, selector: ([key]) => key })
      // Keys that are array indexes would be put first.
      .map((pairs) => pairs.filter(([key]) => !/^\d+$/.test(key)))
      .map((pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`),
  ),
})).value;

describe("any document", () => {
  it("is the same after it is written and read", () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  it.each(["[1.0", "[1.0,]", "[01.50]", '["a" 1.0]', '{"a":1.0 "b":2}', '["[1.0]', "[1.0\uf8ff]", "1.0 x"])(
    "%s is refused",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it("may have an escape in place of the character that marks a number", () => {
    expect(parseJson(String.raw`["\uF8FF1.0", 1.0]`)).toEqual(["\uf8ff1.0", exactNumber("1.0")]);
  });
});
