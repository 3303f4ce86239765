import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalText, doubleText } from "#storage/hash/canonical.ts";
import { parseJson } from "#storage/json.ts";

describe("canonical text", () => {
  it.each([
    // reference/hashing.md §1
    [
      '{"z":1,"a/b":2,"a":3,"/":4,"B":5,"a/":6,"/q":7,"a/b/c":8}',
      '{"/":4,"B":5,"a":3,"z":1,"/q":7,"a/":6,"a/b":2,"a/b/c":8}',
      "bb7766f8f74274947b5ecc3f2ccb73519ea5982c",
    ],
    // reference/hashing.md §2
    [
      '["T","x",{"q":1e400,"a":1,"b":1.0,"c":1e10,"d":1.5e-7,"e":12345678901234567890123,"f":0.1,"g":-0.0,"h":100000.0,"i":1234567.0,"j":12345678.0,"k":0.001,"l":0.0001,"m":true,"n":null,"o":[],"p":{}}]',
      '["T","x",{"a":1,"b":1.0,"c":1.0E10,"d":1.5E-7,"e":12345678901234567890123,"f":0.1,"g":-0.0,"h":100000.0,"i":1234567.0,"j":1.2345678E7,"k":0.001,"l":1.0E-4,"m":true,"n":null,"o":[],"p":{},"q":"Infinity"}]',
      "974ec66018d33190f0f65f0b11e066c5aaa2a9ab",
    ],
  ])("%s", (json, text, sha1) => {
    expect(canonicalText(parseJson(json), "symbols")).toBe(text);
    expect(hash("sha1", text)).toBe(sha1);
  });

  it("orders keys by code unit, those that look like numbers too", () => {
    expect(canonicalText(parseJson('{"b":1,"10":2,"9":3,"B":4,"a/b":5,"é":6,"":7}'), "strings")).toBe(
      '{"":7,"10":2,"9":3,"B":4,"a/b":5,"b":1,"é":6}',
    );
  });

  it("sorts through lists", () => {
    expect(canonicalText(parseJson('[{"b":[{"d":1,"c":2}],"a":null}]'), "symbols")).toBe(
      '[{"a":null,"b":[{"c":2,"d":1}]}]',
    );
  });

  it.each([
    ["plain", '"plain"'],
    ["/", '"/"'],
    ["é ⚓ \u007f \u2028 😀", '"é ⚓ \u007f \u2028 😀"'],
    ['"\\', String.raw`"\"\\"`],
    ["\b\t\n\f\r", String.raw`"\b\t\n\f\r"`],
    ["\u0000\u001f\u001b", String.raw`"\u0000\u001F\u001B"`],
    // an escape that is merely spelled out stays as it is
    [String.raw`\u001f`, String.raw`"\\u001f"`],
    ["a\ud800b\udc00", '"a?b?"'],
  ])("string %j", (text, expected) => {
    expect(canonicalText(text, "strings")).toBe(expected);
  });

  it.each([
    ["-0", "0"],
    ["9007199254740993", "9007199254740993"],
    ["-123456789012345678901234567890", "-123456789012345678901234567890"],
    ["1e+21", "1.0E21"],
    ["1e0", "1.0"],
    ["2.50", "2.5"],
    ["-1E400", '"-Infinity"'],
  ])("number %s", (json, expected) => {
    expect(canonicalText(parseJson(json), "strings")).toBe(expected);
  });
});

describe("Double.toString", () => {
  it.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1e10, "1.0E10"],
    [1.5e-7, "1.5E-7"],
    [100_000, "100000.0"],
    [9_999_999, "9999999.0"],
    [10_000_000, "1.0E7"],
    [12_345_678, "1.2345678E7"],
    [0.001, "0.001"],
    [0.000_999, "9.99E-4"],
    [0.0001, "1.0E-4"],
    [-1234.5, "-1234.5"],
    [5e-324, "4.9E-324"],
    [2e23, "2.0E23"],
    [1.797_693_134_862_315_7e308, "1.7976931348623157E308"],
  ])("%d", (value, expected) => {
    expect(doubleText(value)).toBe(expected);
  });
});
