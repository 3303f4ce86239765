import { expect, it } from "vitest";
import { markdownOf } from "#storage/output/markdown.ts";
import { batchesOf, joined } from "./batches.ts";

async function written(...batches: string[][]): Promise<string> {
  return joined(markdownOf(batchesOf(batches)));
}

it("Markdown is one table for any batches", async () => {
  expect(await written([], ['{"a":1,"latest_report":null}'], ['{"a":[1.0,"x"],"latest_report":"y"}'])).toBe(
    '| a | latest_report |\n| --- | --- |\n| 1 |  |\n| \\[1.0,"x"] | y |\n',
  );
});

it.each([
  ["a|b", "a\\|b"],
  ["*bold* and _so_ `on`", "\\*bold\\* and \\_so\\_ \\`on\\`"],
  ["<b>&amp;</b>", "&lt;b>&amp;amp;&lt;/b>"],
  ["two\nlines\r\n", "two<br>lines<br>"],
  ["\u001b[31mred\u0000", "\u{fffd}\\[31mred\u{fffd}"],
  ["C:\\x", "C:\\\\x"],
])("Markdown escapes its own characters in values: %j", async (value, cell) => {
  expect(await written([JSON.stringify({ v: value })])).toBe(`| v |\n| --- |\n| ${cell} |\n`);
});

it("Markdown is empty when there are no rows", async () => {
  expect(await written([])).toBe("");
});
