import { describe, expect, it } from "vitest";
import { census, SAMPLE } from "../census.ts";
import { hasTerminals } from "../terminal.ts";
import { keys, ScreenTerminal } from "./screens.ts";

const isReady = (screen: string): boolean => screen.includes("q quit");

async function sample(rows: number, columns: number, env: NodeJS.ProcessEnv = {}): Promise<ScreenTerminal> {
  const terminal = new ScreenTerminal(["top", SAMPLE], { rows, columns, env });
  await terminal.until(isReady);
  return terminal;
}

async function quit(terminal: ScreenTerminal): Promise<void> {
  terminal.type("q");
  expect(await terminal.ended()).toBe(0);
  await terminal.screen();
  expect(terminal.isFullScreen).toBe(false);
}

describe("without a terminal", () => {
  it("says what to use instead", async () => {
    const { code, stdout, stderr } = await census(["top", SAMPLE]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      "census: top: needs a terminal; in pipes and scripts use census status, census nodes or census events\n",
    );
  });

  it.each([
    [["--every", "0s"], "--every must be a duration such as 30s, 5m or 1h"],
    [["--every", "soon", "--url", "http://127.0.0.1:1"], "--every must be a duration such as 30s"],
    [["--every", "5s", "--archive", SAMPLE], "top: --every needs a server"],
    [["--every", "5s", "--as-of", "2d", "--url", "http://127.0.0.1:1"], "--every and --as-of cannot be used together"],
    [["--url", "http://127.0.0.1:1", SAMPLE], "cannot be used together"],
  ])("refuses %j", async (words, message) => {
    const { code, stderr } = await census(["top", ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe.skipIf(!hasTerminals("census top"))("census top on a terminal", () => {
  it.each([
    [15, 60],
    [24, 80],
    [30, 100],
    [40, 120],
  ])("shows what is broken, why and since when at %i × %i", async (rows, columns) => {
    const terminal = await sample(rows, columns);
    const lines = await terminal.screen();
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`screens/issues-${columns}x${rows}.txt`);
    const nodes = await terminal.press("2", "[2 nodes 40]");
    await expect(`${nodes.join("\n")}\n`).toMatchFileSnapshot(`screens/nodes-${columns}x${rows}.txt`);
    await quit(terminal);
  });

  it("goes into an issue, a node, its lists and a run, and back", async () => {
    const terminal = await sample(24, 80);
    const issue = await terminal.press(keys.enter, "▸ ⊗ hidden failure");
    expect(issue.join("\n")).toMatch(
      /No catalog: Function lookup\(\) did not find a value for the name\n'chrony::servers'/,
    );
    expect(issue.join("\n")).toContain("4 nodes · since 2026-11-20 09:12:36 (2 h)");
    await terminal.press(keys.down, "▸ ✖ failed          berth-0006");
    await terminal.press(keys.enter, "[1 summary]");
    await terminal.until((screen) => screen.includes("contains"));
    await terminal.press("4", "clientcert  berth-0006");
    await terminal.press("/clientversion", "/clientversion_  1 of");
    await terminal.press(keys.enter, "/clientversion  1 of");
    await terminal.press(keys.escape, "criticality");
    await terminal.press("2", "▲ changed");
    const log = await terminal.press(`${keys.enter}2`, "[2 log]");
    expect(log[0]).toContain("run of 2026-11-20 11:52:19");
    await terminal.until((screen) => screen.includes("✖ err"));
    await terminal.press(keys.escape, "[2 reports]");
    await terminal.press(keys.escape, "berth-0006.tollhouse.saltmarsh.example        7 min");
    await terminal.press(keys.escape, "[1 issues 5]");
    await quit(terminal);
  });

  it("filters as it is typed, sorts, lists states, and explains its keys", async () => {
    const terminal = await sample(24, 80);
    await terminal.press("2/watch", "/watch_  4 of 40");
    await terminal.press(keys.enter, "/watch  4 of 40");
    await terminal.press(keys.escape, "by state");
    await terminal.press("s", "by certname");
    await terminal.press(`3${keys.down}${keys.enter}`, "Census  hidden failure");
    const help = await terminal.press("?", "any key: back");
    expect(help.join("\n")).toContain("Enter →");
    await terminal.press(" ", "hidden failure");
    await quit(terminal);
  });

  it("is drawn for another size when the terminal gets one", async () => {
    const terminal = await sample(24, 80);
    terminal.resize(15, 60);
    await terminal.until((screen) => screen.split("\n").length === 15 && /\n▸ .*\n/.test(screen) && isReady(screen));
    terminal.resize(40, 120);
    const lines = await terminal.until((screen) => screen.includes("─".repeat(120)) && isReady(screen));
    const fresh = await sample(40, 120);
    expect(lines).toEqual(await fresh.screen());
    await quit(fresh);
    await quit(terminal);
  });

  it("colours states, but not with NO_COLOR", async () => {
    const coloured = await sample(24, 80);
    expect(coloured.written).toContain("\u001b[31m✖ 6 failed");
    await quit(coloured);
    const plain = await sample(24, 80, { NO_COLOR: "1" });
    expect(plain.written).not.toMatch(/\u001b\[[\d;]*m/);
    await quit(plain);
  });

  it("refuses a terminal without a screen", async () => {
    const terminal = new ScreenTerminal(["top", SAMPLE], { env: { TERM: "dumb" } });
    expect(await terminal.ended()).toBe(2);
    expect(terminal.written).toContain("TERM=dumb");
  });
});
