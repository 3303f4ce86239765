import { assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { cellLines, cutToWidth, displayWidth, shareWidth, wrapToWidth } from "#cli/output/fit.ts";

it.each([
  ["", 0],
  ["plain", 5],
  ["größe", 5],
  ["e\u0301", 1],
  ["東京", 4],
  ["🚀", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["✖ ▲ ◆ ◐ ○ □", 11],
  ["مرحبا", 5],
  ["a\u200bb", 2],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it.each([
  ["plain", 5, "plain"],
  ["plainer", 5, "plai…"],
  ["plain", Number.POSITIVE_INFINITY, "plain"],
  ["東京都庁", 8, "東京都庁"],
  ["東京都庁", 6, "東京…"],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"],
  ["plain", 1, "…"],
])("%j cut to %i columns is %j", (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

describe("the lines of a cell", () => {
  const url = `http://10.80.0.9:8080/almalinux/9/repodata/${"2e2f3a5c".repeat(8)}-primary.xml.gz`;

  it.each<[name: string, text: string, lines: readonly string[]]>([
    [
      "are the text where it fits",
      `Not found: ${url.slice(0, 60)}`,
      ["Not found: http://10.80.0.9:8080/almalinux/9/repodata/", "2e2f3a5c2e2f3a5c2"],
    ],
    [
      "leave out the middle of a long word rather than the end",
      `Cannot download repomd.xml: ${url}: Status code: 503`,
      ["Cannot download repomd.xml: http://10.80.0.9:8080/", "…-primary.xml.gz: Status code: 503"],
    ],
    [
      "leave out words before the last ones where that is not enough",
      `Could not update: Execution of '/usr/bin/dnf -y install syslog-13' returned 1: Error: Failed to download metadata: Cannot download repomd.xml: ${url}: Status code: 503`,
      [
        "Could not update: Execution of '/usr/bin/dnf -y install",
        "syslog-13' returned 1: Error: Failed to do… Status code: 503",
      ],
    ],
    [
      "are cut at the end where the last word is long",
      `${"word ".repeat(30)}${url}`,
      ["word ".repeat(12).trim(), `${"word ".repeat(11)}word…`],
    ],
  ])("%s", (_name, text, lines) => {
    expect(cellLines(text, 60, 2)).toStrictEqual(lines);
  });

  it("show the same of the longest texts", () => {
    for (const text of ["x".repeat(5_000_000), "x ".repeat(2_000_000), `${"x".repeat(41)} `.repeat(100_000)]) {
      expect(cellLines(text, 80, 2)).toHaveLength(2);
    }
  });
});

describe("wrapping a cell", () => {
  it.each<[name: string, text: string, width: number, lines: string[]]>([
    ["at blanks", "one two three", 7, ["one two", "three"]],
    ["after the last punctuation of a long word", "File[/etc/ntp/ntp.conf]", 14, ["File[/etc/ntp/", "ntp.conf]"]],
    ["within a word rather than far before the edge", "in /var/lib/custody/37.d", 16, ["in /var/lib/", "custody/37.d"]],
    ["at a blank that is near the edge", "returned 1: no/such", 14, ["returned 1:", "no/such"]],
    ["anywhere in a word without punctuation", "abcdefghij", 6, ["abcdef", "ghij"]],
    ["to the limit, with a sign that there is more", "one two three four", 7, ["one two", "three…"]],
    ["wide characters", "東京都庁", 5, ["東京", "都庁"]],
    ["and keeps blanks at the beginning", "  a step", 20, ["  a step"]],
    ["of nothing", "", 5, [""]],
    ["that consists of characters wider than the cell", "東京", 1, ["…", "…"]],
  ])("%s", (_name, text, width, lines) => {
    expect(wrapToWidth(text, width, 2).lines).toStrictEqual(lines);
  });

  it("never exceeds the width, and loses only blanks unless it is cut", () => {
    const texts = string({ unit: "grapheme", maxLength: 60 });
    assert(
      property(texts, integer({ min: 4, max: 30 }), integer({ min: 1, max: 4 }), (text, width, limit) => {
        const { lines, isCut } = wrapToWidth(text, width, limit);
        expect(lines.length).toBeLessThanOrEqual(limit);
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
        const joined = lines.join("").replaceAll(" ", "");
        const whole = text.replaceAll(" ", "");
        expect(whole.slice(0, isCut ? joined.length - 1 : undefined)).toBe(isCut ? joined.slice(0, -1) : joined);
      }),
    );
  });

  it("of a megabyte is cut", () => {
    for (const text of ["東".repeat(1_000_000), "e\u0301".repeat(1_000_000), "a".repeat(1_000_000)]) {
      expect(wrapToWidth(text, 40, 2).isCut).toBe(true);
    }
  });
});

describe("sharing the width of a terminal", () => {
  it.each<[string, number[], number, number[]]>([
    ["enough for all", [5, 10], 80, [5, 10]],
    ["the narrow get what they want", [5, 100, 100], 65, [5, 30, 30]],
    ["wherever they are", [100, 5, 20], 65, [40, 5, 20]],
    ["too little for all", [10, 10, 10], 20, [6, 7, 7]],
    ["nothing left", [4, 4], 0, [0, 0]],
  ])("%s", (_name, natural, available, widths) => {
    expect(shareWidth(natural, available)).toStrictEqual(widths);
  });
});
