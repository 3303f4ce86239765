import { expect, it } from "vitest";
import { runsOf } from "#storage/archive/export/runs.ts";

const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

it.each<[what: string, ids: number[], runs: number[][]]>([
  ["none", [], []],
  ["one", [7], [[7]]],
  ["neighbours", [1, 2, 3], [[1, 2, 3]]],
  ["some apart, but not by much", [1, 5000, 9000], [[1, 5000, 9000]]],
  ["some far apart", [1, 2, 20_000, 20_001, 90_000], [[1, 2], [20_000, 20_001], [90_000]]],
])("ids are read in ranges: %s", (_what, ids, runs) => {
  expect(runsOf(ids)).toStrictEqual(runs);
});

it("of many gaps between ids the widest separate ranges", () => {
  const ids = upTo(100).map((index) => index * 9000 + (index > 50 ? 30_000 : 0));
  const runs = runsOf(ids);
  expect(runs.flat()).toStrictEqual(ids);
  expect(runs.map(([first]) => first)).toContain(51 * 9000 + 30_000);
  expect(runs.length).toBeLessThan(30);
});

it("a range has a limited length", () => {
  const ids = upTo(200_000).filter((id) => id % 7 === 0);
  const runs = runsOf(ids);
  expect(runs.flat()).toStrictEqual(ids);
  for (const run of runs) expect((run.at(-1) as number) - (run[0] as number)).toBeLessThan(65_536);
  expect(runs.length).toBeLessThan(6);
});
