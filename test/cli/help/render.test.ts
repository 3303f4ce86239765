import { describe, expect, it } from "vitest";
import { code, type Page, terms, text } from "#cli/help/page.ts";
import { renderPage } from "#cli/help/render.ts";
import { wrap } from "#cli/output/wrap.ts";

const page: Page = {
  summary: "What it is",
  sections: [
    { title: "WORDS", blocks: [text("one two three four five six seven eight nine ten")] },
    {
      title: "TERMS",
      blocks: [
        terms(["-a", "the first letter of the alphabet, and so on"], ["--a-very-long-option", "below it"]),
        code("a line that is longer than the terminal is wide, to copy"),
      ],
    },
  ],
};

it("a page is wrapped to the terminal, except lines to copy, with long terms above their meaning", () => {
  expect(renderPage(page, { columns: 40, coloured: false })).toBe(
    [
      "What it is",
      "",
      "WORDS",
      "",
      "  one two three four five six seven",
      "  eight nine ten",
      "",
      "TERMS",
      "",
      "  -a  the first letter of the alphabet,",
      "      and so on",
      "  --a-very-long-option",
      "      below it",
      "",
      "  a line that is longer than the terminal is wide, to copy",
      "",
    ].join("\n"),
  );
});

it("colours do not change the layout", () => {
  const coloured = renderPage(page, { columns: 40, coloured: true });
  expect(coloured).toContain("\u001b[1mWORDS\u001b[22m");
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(renderPage(page, { columns: 40, coloured: false }));
});

describe("wrapping", () => {
  it.each<[string, number, string[]]>([
    ["", 10, []],
    ["a b", 3, ["a b"]],
    ["a b c", 3, ["a b", "c"]],
    ["longer-than-that b", 6, ["longer-than-that", "b"]],
    ["東京 京都", 5, ["東京", "京都"]],
    ["  several \n blanks ", 20, ["several blanks"]],
  ])("%j to %i", (text, width, lines) => {
    expect(wrap(text, width)).toStrictEqual(lines);
  });
});
