import { describe, expect, it } from "vitest";
import { type CsvFormat, csvOf } from "#storage/output/csv.ts";
import { batchesOf, joined } from "./batches.ts";

async function written(format: CsvFormat, ...batches: string[][]): Promise<string> {
  return joined(csvOf(batchesOf(batches), format));
}

describe("CSV", () => {
  it("is one table for any batches, with every digit and nested values as JSON", async () => {
    const batches = [[], ['{"a":1.0,"b":null}'], ['{"a":123456789012345678901,"b":{"c":[true]}}']];
    expect(await written({}, ...batches)).toBe('a,b\n1.0,\n123456789012345678901,"{""c"":[true]}"\n');
  });

  it("has the given columns, also without rows", async () => {
    expect(await written({ columns: ["b", "a"] })).toBe("b,a\n");
    expect(await written({ columns: ["b", "a"] }, ['{"a":1,"b":2}'])).toBe("b,a\n2,1\n");
    expect(await written({})).toBe("");
  });

  it("has exact numbers by default", async () => {
    expect(await written({}, ['{"a":"=1+1"}'])).toBe("a\n=1+1\n");
  });

  it.each([
    ['"=cmd()"', "'=cmd()"],
    ['"+1"', "'+1"],
    ['"-1"', "'-1"],
    ['"@x"', "'@x"],
    ['"\\tx"', "'\tx"],
    ['"\\rx"', '"\'\rx"'],
    ['"a=1"', "a=1"],
    ["-1", "-1"],
    ["null", ""],
    ['["=1"]', '"[""=1""]"'],
  ])("escapes formulas for spreadsheets on request: %s", async (value, cell) => {
    expect(await written({ isForSpreadsheets: true }, [`{"=a":${value}}`])).toBe(`'=a\n${cell}\n`);
  });
});
