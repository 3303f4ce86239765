import { once } from "node:events";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { leaveOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { compileShim, type Faults } from "./shim.ts";

const eio: Faults = { calls: ["write"], error: "EIO", style: "fail", perMille: 1000, skip: 0, target: "all" };

/** Writes `0123456789` to files of the folder and of another one with Node's own calls; prints what came of it. */
const program = `
  const { openSync, writeSync, fsyncSync, ftruncateSync } = require("node:fs");
  const { join } = require("node:path");
  const attempt = (what) => { try { return String(what()); } catch (error) { return error.code; } };
  const results = process.argv.slice(1).map((folder) => {
    const file = openSync(join(folder, "file"), "w+");
    const results = [() => writeSync(file, "0123456789"), () => fsyncSync(file), () => ftruncateSync(file, 5)];
    return results.map(attempt).join(" ");
  });
  console.log(results.join("; "));
`;

const cases: readonly [string, Partial<Faults>, string, string][] = [
  ["fails", {}, "EIO undefined undefined; 10 undefined undefined", "\0\0\0\0\0"],
  ["fails with the configured error", { error: "ENOSPC" }, "ENOSPC undefined undefined", "\0\0\0\0\0"],
  ["writes half, which Node goes on with", { style: "short" }, "9 undefined undefined", "01234"],
  ["writes half and fails", { style: "torn" }, "EIO undefined undefined", "01234"],
  ["fails a sync", { calls: ["sync"] }, "10 EIO undefined", "01234"],
  ["fails a truncation", { calls: ["truncate"] }, "10 undefined EIO", "0123456789"],
  ["lets the first calls through", { skip: 1 }, "10 undefined undefined", "01234"],
  ["leaves files alone that are not meant", { target: "queue" }, "10 undefined undefined", "01234"],
];

describe("the shim of file calls", () => {
  it.for(cases)("%s", async ([, changes, printed, content], { skip }) => {
    await using folder = await temporaryFolder();
    const [inside, outside] = [join(folder.path, "inside"), join(folder.path, "outside")];
    for (const path of [inside, outside]) await mkdir(path);
    const compiled = compileShim(join(folder.path, "shim"), inside);
    if (typeof compiled === "string") {
      leaveOut("the shim of file calls", compiled, RESTRICTED_MACHINE);
      return skip();
    }
    using shim = compiled;
    shim.on({ ...eio, ...changes });
    const child = spawn(process.execPath, ["-e", program, inside, outside], {
      env: { ...process.env, ...shim.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
    await once(child, "close");
    expect(output).toContain(printed);
    expect(readFileSync(join(inside, "file"), "latin1")).toBe(content);
    expect(readFileSync(join(outside, "file"), "latin1")).toBe("01234");
    shim.off();
  });
});
