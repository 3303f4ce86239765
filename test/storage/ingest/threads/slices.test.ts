import { describe, expect, it } from "vitest";
import { prepareAll } from "#storage/ingest/prepare-result.ts";
import { charactersOf, cutSlices, putSlice } from "#storage/ingest/threads/slices.ts";
import { a } from "#test/fixture-store.ts";
import { log } from "#test/storage/wire/payloads.ts";

/** Characters of a slice at most, besides one row. */
const LONGEST = 1024 * 1024;

const long = (index: number): string => `${index}`.repeat(400_000);
const values = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`fact${index}`, long(index)]));
const logs = [log({ message: long(0) }), log({ message: long(1) }), log({ message: long(2) })];
const results = prepareAll(
  [
    a.facts("long", { values }),
    a.facts("short", { values: { a: 1, b: { c: [2, "three"] } } }),
    a.report("reported", { logs }),
  ].map((submission) => ({ submission, storedDigest: undefined })),
  {},
);

describe("results that cross threads in slices", () => {
  it("are what they were when all slices have arrived", () => {
    const { rest, slices } = structuredClone(cutSlices(results, true));
    expect(slices.length).toBeGreaterThan(4);
    for (const slice of slices) putSlice(rest, slice);
    expect(rest).toEqual(results);
  });

  it("leave long texts out of the first message where memory is saved", () => {
    const { rest, slices } = cutSlices(results, true);
    expect(charactersOf(rest)).toBeLessThan(100_000);
    for (const { content } of slices) {
      const rows = typeof content === "string" ? 1 : content.length;
      expect(rows === 1 || charactersOf(content) <= LONGEST).toBe(true);
    }
    expect(cutSlices(results, false).slices).toEqual([]);
  });
});
