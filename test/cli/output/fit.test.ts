import { describe, expect, it } from "vitest";
import { cutToWidth, displayWidth, shareWidth } from "#cli/output/fit.ts";

it.each([
  ["", 0],
  ["plain", 5],
  ["größe", 5],
  ["e\u0301", 1],
  ["東京", 4],
  ["🚀", 2],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

it.each([
  ["plain", 5, "plain"],
  ["plainer", 5, "plai…"],
  ["東京都庁", 8, "東京都庁"],
  ["東京都庁", 6, "東京…"],
])("%j cut to %i columns is %j", (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

describe("sharing the width of a terminal", () => {
  it.each<[string, number[], number, number[] | undefined]>([
    ["enough for all", [5, 10], 80, [5, 10]],
    ["the narrow get what they want", [5, 100, 100], 65, [5, 30, 30]],
    ["wherever they stand", [100, 5, 20], 65, [40, 5, 20]],
    ["too many", [10, 10, 10], 20, undefined],
    ["many, but narrow", [4, 4, 4], 12, [4, 4, 4]],
    ["in a pipe", [5, 1000], Number.POSITIVE_INFINITY, [5, 1000]],
  ])("%s", (_name, natural, available, widths) => {
    expect(shareWidth(natural, available)).toStrictEqual(widths);
  });
});
