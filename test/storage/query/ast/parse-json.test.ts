import { describe, expect, it } from "vitest";
import { stringifyJson } from "#storage/json.ts";
import { MAX_NESTING, parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { QueryError } from "#storage/query/errors.ts";

function refusalOf(text: string): string {
  try {
    parseQueryJson(text);
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
  return "no refusal";
}

const VALUE = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
const MARKER = (line: number, column: number) => `[Source: (StringReader); line: ${line}, column: ${column}]`;
const ROOT = "for root starting at [Source: (StringReader); line: 1, column: 0]";

describe("a well-formed query", () => {
  it.each([
    ['["=", "certname", "a"]', '["=","certname","a"]'],
    [' \r\n\t["or"]\n', '["or"]'],
    ["[1.0, 9007199254740993, 6.02e23, -0]", "[1.0,9007199254740993,6.02e23,-0]"],
    ['["\\ud800", "\\u0000"]', '["\\ud800","\\u0000"]'],
    ["null", "null"],
    ["", "null"],
    [" \n", "null"],
  ])("is read with all digits: %j", (text, expected) => {
    expect(stringifyJson(parseQueryJson(text))).toBe(expected);
  });

  it("may contain control characters in strings, as with PuppetDB", () => {
    expect(parseQueryJson('["=",\n"a\nb\\"\tc\\\\", "\0"]')).toEqual(["=", 'a\nb"\tc\\', "\0"]);
  });
});

describe("the complete error message is the recorded one", () => {
  it.each([
    ['["=', '1, column 4:\n\n["=\n  ^\n\nUnexpected end-of-input: was expecting closing quote for a string value'],
    [
      "[",
      `1, column 2:\n\n[\n^\n\nUnexpected end-of-input: expected close marker for Array (start marker at ${MARKER(1, 1)})`,
    ],
    [
      '["from","nodes"]]',
      `1, column 18:\n\n["from","nodes"]]\n                ^\n\nUnexpected close marker ']': expected '}' (${ROOT})`,
    ],
    [
      '["=","certname"',
      '1, column 16:\n\n["=","certname"\n              ^\n\n' +
        `Unexpected end-of-input: expected close marker for Array (start marker at ${MARKER(1, 1)})`,
    ],
    [
      '["=" ',
      '1, column 6:\n\n["=" \n    ^\n\n' +
        `Unexpected end-of-input: expected close marker for Array (start marker at ${MARKER(1, 1)})`,
    ],
    ["nodes{}", `1, column 6:\n\nnodes{}\n    ^\n\nUnrecognized token 'nodes': was expecting ${VALUE}`],
    [
      '["a",\r\n "b"\n x]',
      "3, column 3:\n\n x]\n ^\n\nUnexpected character ('x' (code 120)): was expecting comma to separate Array entries",
    ],
    [
      "[\n",
      `2, column 1:\n\n\n^\n\nUnexpected end-of-input: expected close marker for Array (start marker at ${MARKER(1, 1)})`,
    ],
  ])("%j", (text, rest) => {
    expect(refusalOf(text)).toBe(`Json parse error at line ${rest}`);
  });
});

// What Jackson 2.14.1, the parser of the recorded PuppetDB, reports; the second column is the column it names.
describe("an error names what is wrong, and where", () => {
  it.each([
    ["]", 2, `Unexpected close marker ']': expected '}' (${ROOT})`],
    ["}", 2, `Unexpected close marker '}': expected ']' (${ROOT})`],
    ['["a"}', 6, `Unexpected close marker '}': expected ']' (for Array starting at ${MARKER(1, 1)})`],
    ['[{"a":1]', 9, `Unexpected close marker ']': expected '}' (for Object starting at ${MARKER(1, 2)})`],
    ["[[[]]", 6, `Unexpected end-of-input: expected close marker for Array (start marker at ${MARKER(1, 1)})`],
    ['{"a":1', 7, `Unexpected end-of-input: expected close marker for Object (start marker at ${MARKER(1, 1)})`],
    ["[1,", 4, "Unexpected end-of-input within/between Array entries"],
    ['{"a":', 6, "Unexpected end-of-input within/between Object entries"],
    ['{"a', 4, "Unexpected end-of-input in field name"],
    ['["a" "b"]', 7, `Unexpected character ('"' (code 34)): was expecting comma to separate Array entries`],
    ['{"a":1 "b":2}', 9, `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries`],
    ['{"a" 1}', 7, "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value"],
    ["{a:1}", 3, "Unexpected character ('a' (code 97)): was expecting double-quote to start field name"],
    ['{"a":1,}', 9, "Unexpected character ('}' (code 125)): was expecting double-quote to start field name"],
    ['{"a":}', 7, "Unexpected character ('}' (code 125)): expected a value"],
    ['["a",]', 7, `Unexpected character (']' (code 93)): expected a valid value ${VALUE}`],
    ["['a']", 3, `Unexpected character (''' (code 39)): expected a valid value ${VALUE}`],
    ["\ufeff[]", 2, `Unexpected character ('\ufeff' (code 65279 / 0xfeff)): expected a valid value ${VALUE}`],
    [
      "[\0]",
      3,
      "Illegal character ((CTRL-CHAR, code 0)): only regular white space (\\r, \\n, \\t) is allowed between tokens",
    ],
    ["[1/2]", 4, "Unexpected character ('/' (code 47)): maybe a (non-standard) comment?"],
    ['["\\x"]', 5, "Unrecognized character escape 'x' (code 120)"],
    ['["\\u12"]', 8, `Unexpected character ('"' (code 34)): expected a hex-digit for character escape sequence`],
    ['["\\u1', 6, "Unexpected end-of-input in character escape sequence"],
    ["[tru]", 5, `Unrecognized token 'tru': was expecting ${VALUE}`],
    ["[falsey]", 8, `Unrecognized token 'falsey': was expecting ${VALUE}`],
    ["[é]", 3, `Unrecognized token 'é': was expecting ${VALUE}`],
    ["[1]x", 5, `Unrecognized token 'x': was expecting ${VALUE}`],
    ["[01]", 3, "Invalid numeric value: Leading zeroes not allowed"],
    [
      "[-a]",
      4,
      "Unexpected character ('a' (code 97)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
    ],
    ["[1.]", 4, "Unexpected character (']' (code 93)) in numeric value: Decimal point not followed by a digit"],
    ["[1ex]", 4, "Unexpected character ('x' (code 120)) in numeric value: Exponent indicator not followed by a digit"],
    ["[.5]", 3, `Unexpected character ('.' (code 46)): expected a valid value ${VALUE}`],
    ["[1e+5x]", 7, "Unexpected character ('x' (code 120)): was expecting comma to separate Array entries"],
    ["1x", 3, "Unexpected character ('x' (code 120)): Expected space separating root-level values"],
  ])("%j", (text, column, message) => {
    const refusal = refusalOf(text);
    expect(refusal).toContain(`Json parse error at line 1, column ${column}:\n\n`);
    expect(refusal.split("\n\n").at(-1)).toBe(message);
  });

  it("does not mention a setting of PuppetDB's parser", () => {
    for (const text of ["[NaN]", "[-Infinity]", "[+1]", "[-", "[1e"]) {
      expect(refusalOf(text)).toMatch(/^Json parse error at line 1, column \d+:\n\n/);
      expect(refusalOf(text)).not.toMatch(/Feature|inputNo|inputexp/);
    }
  });

  it("shortens a word of more than 256 letters", () => {
    expect(refusalOf("x".repeat(300))).toContain(`column 257:`);
    expect(refusalOf("x".repeat(300))).toContain(`token '${"x".repeat(256)}...': was`);
  });
});

describe("text with more than one query", () => {
  it.each([
    ['["=","certname","a"] ["x"]', '(["x"]) after the query ["=" "certname" "a"]'],
    ['["a"]["b"] 3 null', '(["b"] 3 nil) after the query ["a"]'],
    ['["a\nb"] [1.0]', '([1.0]) after the query ["a\\nb"]'],
  ])("is rejected: %j", (text, rest) => {
    expect(refusalOf(text)).toBe(`Only one query may be sent in a request. Found JSON ${rest}`);
  });
});

function nested(depth: number, inner = ""): string {
  return "[".repeat(depth) + inner + "]".repeat(depth);
}

describe("nesting", () => {
  it.each(["", "1.0"])(`is accepted up to ${MAX_NESTING} levels around %j`, (inner) => {
    expect(stringifyJson(parseQueryJson(nested(MAX_NESTING, inner)))).toBe(nested(MAX_NESTING, inner));
  });

  it.each([
    ["arrays", nested(10_000)],
    ["an exact number", nested(10_000, "1.0")],
    ["arrays that are never closed", "[".repeat(1_000_000)],
    ["objects", '{"a":'.repeat(10_000)],
  ])("of 10,000 levels is rejected: %s", (_, text) => {
    expect(refusalOf(text)).toMatch(/^The query is nested too deeply: more than 1000 arrays or objects .* at line 1, /);
  });

  it("does not count brackets in strings", () => {
    const text = JSON.stringify(["=", "value", '["'.repeat(2000)]);
    expect(refusalOf(text)).toBe("no refusal");
  });
});

it("the position of an error after a long string is right", () => {
  const text = `["${"x\n".repeat(500_000)}" 1]`;
  expect(refusalOf(text)).toMatch(/Unexpected character \('1' \(code 49\)\): was expecting comma/);
});
