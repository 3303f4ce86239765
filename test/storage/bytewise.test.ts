import { assert, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytewise, compareShorterFirst } from "#storage/bytewise.ts";

const text = oneof(string(), string({ unit: "binary" }));

describe("the order of texts by their bytes", () => {
  it("is the order of Buffer.compare", () => {
    assert(
      property(text, text, (a, b) => {
        expect(Math.sign(compareBytewise(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it("sorts a character beyond the basic plane after one at its end", () => {
    expect(compareBytewise("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
  });

  it("puts texts with fewer bytes first, if requested", () => {
    expect(["é", "abc", "zz", "b", "ab"].sort(compareShorterFirst)).toEqual(["b", "ab", "zz", "é", "abc"]);
  });
});
