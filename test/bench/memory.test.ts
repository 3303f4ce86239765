import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { memoryOf, processTree, proportionalMemory, riseOf } from "./memory.ts";

/** Starts a process that waits, and beneath it another one; says so when both run. */
const PARENT = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "console.log(1); process.stdin.resume()"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdout.once("data", () => console.log(child.pid));
  process.stdin.resume();
  process.stdin.once("end", () => { child.stdin.end(); });
`;

describe.runIf(existsSync("/proc/self/smaps_rollup"))("the memory of processes", () => {
  it("includes the children of a process", async () => {
    const parent = spawn(process.execPath, ["-e", PARENT], { stdio: ["pipe", "pipe", "inherit"] });
    const [printed] = (await once(parent.stdout, "data")) as [Buffer];
    const child = Number(printed.toString());
    const pid = parent.pid ?? 0;
    expect(processTree(pid)).toEqual([pid, child]);
    expect(processTree(child)).toEqual([child]);
    const [both, one] = [proportionalMemory([pid, child]) ?? 0, proportionalMemory([child]) ?? 0];
    expect(one).toBeGreaterThan(0);
    expect(both).toBeGreaterThan(one);
    expect(one).toBeLessThanOrEqual(memoryOf(child)?.peak ?? 0);
    parent.stdin.end();
    await once(parent, "exit");
    expect(processTree(pid)).toEqual([]);
    expect(proportionalMemory([pid])).toBeUndefined();
  });
});

describe("the growth of a process", () => {
  it.each([
    ["as a rule in its end", [110, 115, 190, 120, 121, 122, 130, 131, 180], 0, { whole: 90, atEnd: 31 }],
    ["as a whole, between two looks", [110, 120, 130], 195, { whole: 95, atEnd: 30 }],
    ["is nothing where it only had less", [90, 80, 70], 0, { whole: 0, atEnd: 0 }],
    ["is known of a single look", [140], 0, { whole: 40, atEnd: 40 }],
  ])("%s", (_what, seen, peak, rise) => {
    expect(riseOf(100, seen, peak)).toEqual(rise);
  });
});
