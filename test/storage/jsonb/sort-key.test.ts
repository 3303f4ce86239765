import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { sortKey } from "#storage/jsonb/sort-key.ts";

const keyOf = (text: string): string => sortKey(parseJson(text));

/** Byte order of UTF-8, which is the engine's order of texts. */
function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Values in jsonb's order (reference/query.md §7.2). */
const ascending: readonly string[] = [
  "[]",
  "null",
  '""',
  '"10"',
  '"9"',
  '"A"',
  '"a"',
  '"a\\u0001b"',
  '"ab"',
  '"b"',
  '"é"',
  '"😀"',
  "-1e300",
  "-123456789012345678901234567891",
  "-123456789012345678901234567890",
  "-9007199254740993",
  "-9007199254740992",
  "-10",
  "-9.5",
  "-9",
  "-1.5",
  "-1",
  "-0.5",
  "-0.05",
  "-1e-300",
  "0",
  "1e-300",
  "0.05",
  "0.5",
  "1",
  "1.00000000000000000001",
  "1.5",
  "9",
  "9.5",
  "10",
  "9007199254740992",
  "9007199254740993",
  "123456789012345678901234567890",
  "123456789012345678901234567891",
  "1e300",
  "false",
  "true",
  "[null]",
  '["a"]',
  "[1]",
  "[2]",
  "[10]",
  "[true]",
  "[[1]]",
  "[1,1]",
  "[1,2]",
  "[2,1]",
  "[1,1,1]",
  "{}",
  '{"a":1}',
  '{"a":2}',
  '{"b":1}',
  '{"a":1,"b":1}',
  '{"a":1,"b":2}',
];

describe("order", () => {
  it("of the keys is jsonb's order", () => {
    const shuffled = ascending.map((text, index) => [text, (index * 31) % ascending.length] as const);
    shuffled.sort((a, b) => a[1] - b[1]);
    const sorted = shuffled.map(([text]) => text).sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
    expect(sorted).toEqual(ascending);
  });

  it("of numbers is that of doubles", () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (a, b) => {
        const order = Math.sign(compareKeys(sortKey(a), sortKey(b)));
        expect(order).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it("of whole numbers is exact", () => {
    const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const near = fc.tuple(whole, fc.bigInt({ min: -2n, max: 2n })).map(([n, step]) => [n, n + step] as const);
    fc.assert(
      fc.property(near, ([a, b]) => {
        const order = Math.sign(compareKeys(keyOf(String(a)), keyOf(String(b))));
        expect(order).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe("equality", () => {
  it.each([
    ["5", "5.0", "5e0", "0.5e1", "500e-2", "5.000"],
    ["0", "-0", "0.0", "-0.0", "0e5"],
    ["100", "1e2", "100.00"],
    ["-2.5", "-2.50", "-25e-1"],
    ["9007199254740993", "9007199254740993.0"],
    ['{"a":1,"b":2}', '{"b":2.0,"a":1e0}'],
    ["[1,[2.0]]", "[1.0,[2]]"],
    ['"\\u0061"', '"a"'],
  ])("%s, %s, … have one key", (...texts) => {
    expect(new Set(texts.map(keyOf)).size).toBe(1);
  });

  it.each([
    ["5", '"5"'],
    ["1", "true"],
    ["null", '"null"'],
    ["[]", "{}"],
    ["[]", '""'],
    ["[1]", "1"],
    ["[[]]", "[]"],
    ['["a","b"]', '["a,b"]'],
    ['["a\\u0001","b"]', '["a","\\u0001b"]'],
    ['{"a":{"b":1}}', '{"a":{"b":1,"c":1}}'],
    ["9007199254740992", "9007199254740993"],
    ["0.1", "0.10000000000000000001"],
    ["1e400", "1e401"],
    ["1e-400", "0"],
  ])("%s and %s have different keys", (a, b) => {
    expect(keyOf(a)).not.toBe(keyOf(b));
  });
});

const long = (end: string): string => JSON.stringify("x".repeat(10_000) + end);

describe("long values", () => {
  it("have bounded keys that are different for different values", () => {
    expect(keyOf(long("a")).length).toBeLessThanOrEqual(512);
    expect(keyOf(long("a"))).toBe(keyOf(long("a")));
    expect(keyOf(long("a"))).not.toBe(keyOf(long("b")));
  });
});

it.each([510, 511, 512, 513, 2000, 1_000_000])(
  "a string of %i characters is cut like any other long value",
  (length) => {
    const text = "long 😀 ".repeat(length).slice(0, length);
    const whole = `2${text}`;
    const cut = `${whole.slice(0, 448)}\u{10FFFF}${createHash("sha1").update(whole).digest("hex")}`;
    expect(sortKey(text)).toBe(length < 512 ? whole : cut);
  },
);
