import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { graphemeWidth } from "#cli/output/grapheme-width.ts";

/** What a package says that knows every sequence of emoji. */
const expected = (grapheme: string): number => stringWidth(grapheme, { countAnsiEscapeCodes: true });

describe("the width of a grapheme is that of string-width", () => {
  it("for every character, of the planes that have any", () => {
    const wrong: string[] = [];
    for (let code = 0; code <= 0xe_0fff; code = code === 0x3_ffff ? 0xe_0000 : code + 1) {
      const character = String.fromCodePoint(code);
      if (graphemeWidth(character) !== expected(character)) wrong.push(code.toString(16));
    }
    expect(wrong).toStrictEqual([]);
  });

  it("for every character with a selector or a skin colour that makes an emoji of it", () => {
    const wrong: string[] = [];
    for (let code = 0xa0; code <= 0x1_faff; code += 1) {
      const character = String.fromCodePoint(code);
      for (const emoji of [`${character}\u{fe0f}`, `${character}\u{1f3fb}`]) {
        if (/^\p{RGI_Emoji}$/v.test(emoji) && graphemeWidth(emoji) !== 2) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toStrictEqual([]);
  });

  it.each([
    "e\u{301}",
    "👩‍👩‍👧‍👦",
    "👩🏽‍🚀",
    "🏳️‍🌈",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "🇩🇪",
    "1️⃣",
    "#⃣",
    "❤️‍🔥",
    "a\u{fe0f}",
    "1\u{fe0f}",
    "한",
    "\u{1100}\u{1161}\u{11a8}",
    "ｶﾞ",
    "की",
    "กำ",
    "\u{200b}",
    "\u{301}",
    "",
  ])("for %j", (grapheme) => {
    expect(graphemeWidth(grapheme)).toBe(expected(grapheme));
  });
});
