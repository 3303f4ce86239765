import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { browserCommand, type Desktop } from "#cli/browser.ts";
import { SAMPLE, workFolder } from "./census.ts";
import { hasTerminals, Terminal } from "./terminal.ts";

const URL = "http://127.0.0.1:8080/explorer/";
const display = { DISPLAY: ":0" };

describe("the command that opens a page in a browser", () => {
  it.each<[what: string, Desktop, string | undefined]>([
    ["Linux with X", { platform: "linux", env: display, isTerminal: true }, "xdg-open"],
    ["Linux with Wayland", { platform: "linux", env: { WAYLAND_DISPLAY: "wayland-0" }, isTerminal: true }, "xdg-open"],
    ["Linux without a display", { platform: "linux", env: { DISPLAY: "" }, isTerminal: true }, undefined],
    ["Linux, its output in a file", { platform: "linux", env: display, isTerminal: false }, undefined],
    [
      "SSH",
      { platform: "linux", env: { ...display, SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, isTerminal: true },
      undefined,
    ],
    ["macOS", { platform: "darwin", env: {}, isTerminal: true }, "open"],
    ["macOS over SSH", { platform: "darwin", env: { SSH_CONNECTION: "x" }, isTerminal: true }, undefined],
    ["Windows", { platform: "win32", env: {}, isTerminal: true }, "rundll32"],
    ["Windows in a pipe", { platform: "win32", env: {}, isTerminal: false }, undefined],
  ])("on %s", (_what, desktop, program) => {
    const [first, ...rest] = browserCommand(URL, desktop) ?? [];
    expect([first, rest.at(-1)]).toEqual([program, program === undefined ? undefined : URL]);
  });
});

const folder = workFolder();

/** A folder with a browser that notes the address, and what it noted. */
function browser(name: string) {
  const noted = join(folder, `${name}.txt`);
  const program = join(folder, "xdg-open");
  // An answer while the archive is read or afterwards: the page is there either way.
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$*" > "$NOTED.new" && mv "$NOTED.new" "$NOTED"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, NOTED: noted, DISPLAY: ":7", SSH_CONNECTION: "" };
  return { env, read: () => (existsSync(noted) ? readFileSync(noted, "utf8") : undefined) };
}

describe.runIf(hasTerminals("the browser"))("census open on a terminal", () => {
  it("shows the explorer in the browser", async () => {
    const { env, read } = browser("shown");
    const terminal = new Terminal(["open", SAMPLE, "--port", "0"], { env });
    await terminal.until("Census is ready on");
    await terminal.until(/Explorer: (http:\S+)/);
    const [, url] = /Explorer: (\S+)/.exec(terminal.shown) ?? [];
    await expect.poll(read).toBe(url);
    terminal.type("\u0003");
    await terminal.ended();
  });

  it("does not start a browser with --no-browser", async () => {
    const { env, read } = browser("not-shown");
    const terminal = new Terminal(["open", SAMPLE, "--port", "0", "--no-browser"], { env });
    await terminal.until("Press Ctrl-C to stop.");
    terminal.type("\u0003");
    await terminal.ended();
    expect(read()).toBeUndefined();
  });

  it("continues if the browser cannot be started", async () => {
    const env = { PATH: "/nowhere", DISPLAY: ":7", SSH_CONNECTION: "" };
    const terminal = new Terminal(["open", SAMPLE, "--port", "0"], { env });
    await terminal.until("Press Ctrl-C to stop.");
    terminal.type("\u0003");
    expect(await terminal.ended()).toBe(0);
  });
});
