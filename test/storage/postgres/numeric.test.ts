import { describe, expect, it } from "vitest";
import { readNumeric } from "#storage/postgres/numeric.ts";

describe("readNumeric", () => {
  // The input syntax of `numeric` in PostgreSQL 15.
  it.each([
    ["21", "21"],
    ["+5", "5"],
    ["-0.50", "-0.50"],
    ["007", "7"],
    ["000", "0"],
    [".5", "0.5"],
    ["5.", "5"],
    ["-.5e-3", "-0.5e-3"],
    ["6.02E+23", "6.02E+23"],
    [" \t12\n", "12"],
  ])("%j is %s", (text, number) => {
    expect(readNumeric(text)).toBe(number);
    expect(JSON.parse(number)).toBe(Number(text.trim()));
  });

  // A stored text may be long, and is read on the event loop.
  it("a million characters that are nearly a number are read in one pass", () => {
    for (const long of ["0", "7", " ", "0.0"]) expect(readNumeric(`${long.repeat(1_000_000)}x`)).toBeNull();
  });

  it.each(["", " ", ".", "-", "1 2", "8.4.0", "1e", "0x10", "true", "NaN", "Infinity", "\u00a012", "１２"])(
    "%j is none",
    (text) => {
      expect(readNumeric(text)).toBeNull();
    },
  );
});
