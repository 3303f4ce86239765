import { describe, expect, it } from "vitest";
import { parseJson } from "#storage/json.ts";
import { cleanJson, cleanText, isTooDeep } from "#storage/wire/clean.ts";

describe("clean text", () => {
  it.each([
    ["a\0b", "a\ufffdb"],
    ["\ud800 and \udfff", "? and ?"],
    ["😀 stays", "😀 stays"],
    ["\u0001 stays", "\u0001 stays"],
  ])("%j", (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });
});

describe("clean documents", () => {
  it("are returned themselves when there is nothing to replace", () => {
    const value = parseJson('{"a":[1.0,"x",{"b":null}]}');
    expect(cleanJson(value)).toBe(value);
  });

  it("are rebuilt with clean keys and strings", () => {
    const value = { "k\0": [{ x: "\0" }, 1, null, true] };
    expect(cleanJson(value)).toEqual({ "k\ufffd": [{ x: "\ufffd" }, 1, null, true] });
    expect(value).toEqual({ "k\0": [{ x: "\0" }, 1, null, true] });
  });

  it.each([
    [1000, false],
    [1001, true],
  ])("%d levels: too deep is %s", (levels, expected) => {
    expect(isTooDeep(parseJson(`${"[".repeat(levels)}${"]".repeat(levels)}`))).toBe(expected);
  });
});
