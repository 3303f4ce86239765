import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addList, sha1, sha1Of } from "#storage/hash/sha1.ts";

function expected(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

describe("a text that is hashed piece by piece", () => {
  it.each(["x", "é", "世", "\u{1F600}", "\ud800", "a\u{1F600}", "ab\u{1F600}", "\udc00\ud800"])(
    "has the hash of the whole, made of %j",
    (character) => {
      const text = character.repeat(1_500_000);
      expect(sha1(text)).toBe(expected(text));
      expect(sha1Of(["before", text, "behind"])).toBe(expected(`before${text}behind`));
    },
  );

  it("has the hash of the whole, with any prefix", () => {
    const rest = "\u{1F600}".repeat(600_000);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(sha1(text + rest)).toBe(expected(text + rest));
      }),
      { numRuns: 10 },
    );
  });
});

describe("a list", () => {
  it.each([
    [[], "none"],
    [["a"], "one text"],
    [["x".repeat(3_000_000), "y", "z".repeat(2_000_000), "", "é".repeat(600_000), "b"], "long ones among short ones"],
    [Array.from({ length: 5000 }, (_, index) => `text ${index} `.repeat(60)), "many"],
  ])("has the hash of its texts with commas between them: %#, %s", (texts) => {
    const digest = createHash("sha1");
    addList(digest, texts);
    expect(digest.digest("hex")).toBe(expected(texts.join(",")));
  });
});
