import { describe, expect, it } from "vitest";
import { inSetOrder, setHash } from "#storage/hash/tag-order.ts";

describe("order of tags", () => {
  it.each([
    ["class", -1_927_747_417],
    ["node", 146_185_022],
    ["a", 1_455_541_201],
    ["", 0],
  ])("hash of %j", (text, expected) => {
    expect(setHash(text)).toBe(expected);
  });

  it("follows PuppetDB's set, not the input", () => {
    const tags = "class node default foo bar baz main settings file exec apache::vhost a b c d e f g h class".split(
      " ",
    );
    const expected = "d foo bar apache::vhost f e baz settings class exec main a b g file h default c node".split(" ");
    expect(inSetOrder(tags)).toEqual(expected);
    expect(inSetOrder(tags.toReversed())).toEqual(expected);
  });

  it("keeps the input's order between texts whose hashes are equal", () => {
    expect(inSetOrder(["Aa", "BB"])).toEqual(["Aa", "BB"]);
    expect(inSetOrder(["BB", "Aa", "BB"])).toEqual(["BB", "Aa"]);
  });
});
