import { describe, expect, it } from "vitest";
import { hasColours } from "#cli/colours.ts";
import { census, startedRun } from "./census.ts";
import { hasTerminals, Terminal } from "./terminal.ts";

const COLOUR = "\u001b[1m";

describe("output is coloured or not", () => {
  it.each<[boolean, NodeJS.ProcessEnv, boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "0" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "" }, false],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { FORCE_COLOR: "1", TERM: "dumb" }, true],
    [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("terminal %s, %j: %s", (isTTY, env, coloured) => {
    expect(hasColours({ isTTY }, env)).toBe(coloured);
  });
});

const plain = { NO_COLOR: "", FORCE_COLOR: "", CI: "" };

describe("help in a pipe", () => {
  it.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, false],
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("%j: coloured %s", async (env, coloured) => {
    for (const words of [["--help"], ["query", "--help"], ["help", "queries"]]) {
      const { stdout } = await census(words, { env: { ...plain, ...env } });
      expect(stdout.includes(COLOUR)).toBe(coloured);
    }
  });

  it("errors and results have no colours in a pipe, even if they are forced", async () => {
    const { stderr } = await startedRun(["qurey"], { env: { ...plain, FORCE_COLOR: "1" } });
    expect(stderr).toBe('census: unknown command "qurey"; did you mean query?\n');
  });
});

describe.skipIf(!hasTerminals("help on a terminal"))("help on a terminal", () => {
  it.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ TERM: "dumb" }, false],
  ])("%j: coloured %s", async (env, coloured) => {
    const terminal = new Terminal(["--help"], { env });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.shown).toContain("USAGE census COMMAND");
    expect(terminal.shown.includes(COLOUR)).toBe(coloured);
  });

  it("is as wide as the terminal", async () => {
    const terminal = new Terminal(["help", "output"], { columns: 50, env: { NO_COLOR: "1" } });
    expect(await terminal.ended()).toBe(0);
    const wrapped = terminal.shown.split("\r\n").filter((line) => !/^ +census /.test(line));
    expect(Math.max(...wrapped.map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(Math.max(...wrapped.map((line) => line.length))).toBeGreaterThan(40);
  });
});
