import { describe, expect, it } from "vitest";
import { formPairs } from "#app/query/form-pairs.ts";

describe("the pairs of a query string", () => {
  it.each([
    ["", []],
    ["?", []],
    [
      "?query=nodes%7B%7D&limit=2",
      [
        ["query", "nodes{}"],
        ["limit", "2"],
      ],
    ],
    ["query=a+b%2Bc&", [["query", "a b+c"]]],
    ["limit&offset=", [["offset", ""]]],
    ["query=%ZZ&limit=1", [["limit", "1"]]],
    ["query=%5", []],
    [
      "limit=1&limit=2",
      [
        ["limit", "1"],
        ["limit", "2"],
      ],
    ],
    ["a=b=c", [["a", "b=c"]]],
  ])("%j", (text, pairs) => {
    expect(formPairs(text)).toEqual(pairs);
  });
});
