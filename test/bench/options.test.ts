import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";

describe("the options of the benchmark", () => {
  it("look for PuppetDB where its tools start it, unless the environment or an option names another place", () => {
    expect(readOptions([], {}).peer).toBe("http://127.0.0.1:18080");
    expect(readOptions([], { ORACLE_URL: "http://10.0.0.1:8080/" }).peer).toBe("http://10.0.0.1:8080");
    expect(readOptions(["--peer", "http://[::1]:8080"], { ORACLE_URL: "http://10.0.0.1" }).peer).toBe(
      "http://[::1]:8080",
    );
  });

  it.each([
    [[], { nodes: 2000, runs: 48 }],
    [["--quick"], { nodes: 50, runs: 6 }],
    [["--quick", "--fleet", "300x4"], { nodes: 300, runs: 4 }],
  ])("%j simulate a fleet of %j", (args, fleet) => {
    expect(readOptions(args, {}).fleet).toEqual(fleet);
  });

  it.each([
    [[], { nodes: 100_000, minutes: 60 }],
    [["--quick"], { nodes: 200, minutes: 2 }],
    [["--quick", "--hour", "500x3"], { nodes: 500, minutes: 3 }],
  ])("%j measure an hour of %j", (args, hour) => {
    expect(readOptions(args, {}).hour).toEqual(hour);
  });

  it.each([
    [[], 20],
    [["--quick"], 3],
    [["--quick", "--browsing", "40"], 40],
  ])("%j browse for %i seconds", (args, browsing) => {
    expect(readOptions(args, {}).browsing).toBe(browsing);
  });

  it.each([
    [[], [100, 1000, 10_000]],
    [["--quick"], [20, 100]],
    [
      ["--sizes", "2,50"],
      [2, 50],
    ],
  ])("%j compare the sizes %j", (args, sizes) => {
    expect(readOptions(args, {}).sizes).toEqual(sizes);
  });

  it.each([
    [["--peer", "127.0.0.1:18080"], /^--peer 127\.0\.0\.1:18080: expected an address/],
    [["--fleet", "2000"], /^--fleet 2000: expected nodes and runs/],
    [["--fleet", "0x4"], /^--fleet 0x4: expected nodes and runs/],
    [["--hour", "100000"], /^--hour 100000: expected at least 10 nodes, and minutes/],
    [["--hour", "9x5"], /^--hour 9x5: expected at least 10 nodes/],
    [["--sizes", "100"], /^--sizes 100: expected ascending numbers/],
    [["--sizes", "1,100"], /^--sizes 1,100: expected ascending numbers/],
    [["--sizes", "100,20"], /^--sizes 100,20: expected ascending numbers/],
    [["--sizes", "100,1e4"], /^--sizes 100,1e4: expected ascending numbers/],
    [["--nodes", "-1"], /--nodes/],
    [["--browsing", "0.5"], /^--browsing 0\.5: expected a whole number/],
    [["--frobnicate"], /--frobnicate/],
  ])("%j are refused", (args, message) => {
    expect(() => readOptions(args, {})).toThrow(message);
  });
});
