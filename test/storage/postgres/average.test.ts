import { describe, expect, it } from "vitest";
import { numericAverage } from "#storage/postgres/average.ts";

describe("numericAverage", () => {
  // Averages that PuppetDB 7.12 on PostgreSQL 15 answered (recorded), and PostgreSQL's rule for the scale worked by hand.
  it.each([
    ["990", 53n, "18.6792452830188679"],
    ["302", 17n, "17.7647058823529412"],
    ["44", 53n, "0.83018867924528301887"],
    ["46", 2n, "23.0000000000000000"],
    ["15", 2n, "7.5000000000000000"],
    ["-15", 2n, "-7.5000000000000000"],
    ["0", 3n, "0.00000000000000000000"],
    ["0.3", 3n, "0.10000000000000000000"],
    ["123456789012", 7n, "17636684144.57142857"],
  ])("%s / %s is %s", (sum, count, expected) => {
    expect(numericAverage(sum, count)).toBe(expected);
  });
});
