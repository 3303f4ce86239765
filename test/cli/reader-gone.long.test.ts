import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { program, startFolder } from "#test/program.ts";
import { environment, SAMPLE } from "./census.ts";

/** Runs of each pipeline. */
const RUNS = 4;

// A shell gives every command of a pipeline the same process group, and the default disposition of SIGPIPE.
describe.skipIf(process.platform === "win32")("a reader that ends early", () => {
  it.each([
    ["after the first line", "head -n 1"],
    ["at once", "true"],
    ["in the middle", "head -c 100000"],
  ])("is no failure, in any of several attempts: %s", (_when, reader) => {
    const query = "query 'facts{}' --output ndjson --archive";
    const script = `
      run() { "$@"; echo $? >&3; }
      for n in $(seq ${RUNS}); do
        run "$@" ${query} "$SAMPLE" 2>/dev/null | ${reader} > /dev/null
      done 3>&1`;
    const run = spawnSync("sh", ["-c", script, "sh", ...program], {
      cwd: startFolder,
      encoding: "utf8",
      env: { ...environment(), SAMPLE },
    });
    expect(run).toMatchObject({ status: 0, stdout: "0\n".repeat(RUNS) });
  });
});
