import { describe, expect, it } from "vitest";
import { prepareAll } from "#storage/ingest/prepare-result.ts";
import { charactersOf, cutSlices, putSlice } from "#storage/ingest/threads/slices.ts";
import { a } from "#test/fixture-store.ts";

/** Characters of a slice at most, besides one row. */
const LONGEST = 1024 * 1024;

const values = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [`fact${index}`, `${index}`.repeat(400_000)]),
);
const results = prepareAll(
  [a.facts("long", { values }), a.facts("short", { values: { a: 1, b: { c: [2, "three"] } } })],
  {},
);

describe("results that cross threads in slices", () => {
  it("are unchanged when all slices have arrived", () => {
    const { rest, slices } = structuredClone(cutSlices(results, true));
    expect(slices.length).toBeGreaterThan(4);
    for (const slice of slices) putSlice(rest, slice);
    expect(rest).toEqual(results);
  });

  it("have slices of 1 MB if memory is saved", () => {
    const { rest, slices } = cutSlices(results, true);
    expect(charactersOf(rest)).toBeLessThan(100_000);
    for (const { rows } of slices) expect(rows.length === 1 || charactersOf(rows) <= LONGEST).toBe(true);
    expect(cutSlices(results, false).slices).toEqual([]);
  });

  it("have slices of 1,000 rows otherwise", () => {
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`fact${index}`, index]));
    const [prepared] = prepareAll([a.facts("many", { values: many })], {});
    if (prepared === undefined) throw new Error("nothing was prepared");
    const { slices } = cutSlices([prepared], false);
    expect(slices.map(({ list, rows }) => [list, rows.length])).toEqual([
      ["facts", 1000],
      ["facts", 1000],
      ["facts", 500],
      ["leaves", 1000],
      ["leaves", 1000],
      ["leaves", 500],
    ]);
  });
});
