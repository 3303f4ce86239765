import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { a } from "#test/fixture-store.ts";
import { program, startFolder } from "#test/program.ts";
import type { Running } from "#test/running.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { SAMPLE, startServer, workFolder } from "../census.ts";
import { hasTerminals } from "../terminal.ts";
import { keys, ScreenTerminal } from "./screens.ts";

const data = join(workFolder(), "data");

let server: Running;
beforeAll(async () => {
  server = await startServer(["serve", "--data", data, "--port", "0"]);
});
afterAll(async () => {
  await server.stop();
});

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Sends a report of a run that ended some minutes ago; failed with a message, or unchanged. */
async function send(certname: string, minutes: number, message?: string): Promise<void> {
  const events = [payloads.event({ timestamp: ago(minutes), status: "failure", message: message ?? "" })];
  const { payload } = a.report(certname, {
    producer_timestamp: ago(minutes),
    start_time: ago(minutes + 1),
    end_time: ago(minutes),
    status: message === undefined ? "unchanged" : "failed",
    noop: false,
    noop_pending: false,
    resources:
      message === undefined
        ? []
        : [payloads.reportResource({ resource_type: "Service", resource_title: "ntp", skipped: false, events })],
  });
  const parameters = `command=store_report&version=8&certname=${certname}&secondsToWaitForCompletion=60`;
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/pdb/cmd/v1?${parameters}`, { method: "POST", headers, body: payload });
  expect(await answer.json()).toMatchObject({ processed: true });
}

async function live(every = "0.2s"): Promise<ScreenTerminal> {
  const terminal = new ScreenTerminal(["top", server.url, "--every", every]);
  await terminal.until((screen) => screen.includes("q quit"));
  return terminal;
}

describe.skipIf(!hasTerminals("census top"))("census top over a server", () => {
  it("shows a failure as soon as its report is there, keeps the chosen row, and shows when it is over", async () => {
    const terminal = await live();
    await terminal.until((screen) => screen.includes("[1 issues 0] 2 nodes 0") && screen.includes("Nothing fails."));
    await send("web-1.example.com", 90);
    await send("web-2.example.com", 50, "old trouble");
    await terminal.press("2", "▸ ✖ failed          web-2.example.com");
    await terminal.press(keys.down, "▸ ○ unchanged       web-1.example.com");
    await terminal.press(keys.up, "▸ ✖ failed          web-2.example.com");
    await send("web-1.example.com", 20, "no space left on device");
    await terminal.until(
      (screen) => screen.includes("▸ ✖ failed          web-2.example.com") && screen.includes("✖ 2 failed"),
    );
    const issues = await terminal.press("1", "no space left");
    expect(issues.find((line) => line.includes("no space left"))).toMatch(
      / 1 +2\d min {2}Service\[ntp\] +no space left/,
    );
    await terminal.press("2", "▸ ✖ failed          web-2.example.com");
    await terminal.press(keys.enter, "[1 summary]");
    await terminal.press("2", "▸ ✖ failed");
    await send("web-2.example.com", 1);
    await terminal.until((screen) => screen.includes("○ unchanged"));
    await terminal.press(keys.escape, "✖ 1 failed  ○ 1 unchanged");
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
  });

  it("says when the server is gone and since when, keeps what it showed, and follows it again", async () => {
    const terminal = await live();
    await terminal.press("2", "web-1.example.com");
    const { port } = new URL(server.url);
    await server.stop();
    const gone = await terminal.until((screen) => /✖ no answer since \d\d:\d\d:\d\d \([1-9] s\)/.test(screen));
    expect(gone[1]).toMatch(/\): (?:connection refused|connection reset|socket hang up)/);
    expect(gone[0]).toMatch(/stopped \d\d:\d\d:\d\d$/);
    expect(gone.join("\n")).toContain("web-1.example.com");
    // What was not read before cannot be read now, and it says so.
    await terminal.press(keys.enter, "This cannot be read: connection refused");
    server = await startServer(["serve", "--data", data, "--port", port]);
    const back = await terminal.until((screen) => screen.includes("contains"));
    expect(back[0]).toMatch(/live \d\d:\d\d:\d\d$/);
    expect(back.join("\n")).not.toContain("no answer");
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
  });

  it("ends at once while a server does not answer a query", async () => {
    // The first look at a server without nodes takes three queries.
    let queries = 0;
    const silent = createServer((request, response) => {
      if (request.url?.startsWith("/pdb/query") !== true) response.writeHead(404).end();
      else if (queries++ < 3) response.end("[]");
    });
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const terminal = new ScreenTerminal([
      "top",
      `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      "--every",
      "0.1s",
    ]);
    await terminal.until((screen) => screen.includes("q quit") && queries > 3);
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
    silent.closeAllConnections();
    silent.close();
  });

  it("reports a server that cannot be reached at first as other commands do", async () => {
    const terminal = new ScreenTerminal(["top", "http://127.0.0.1:9"]);
    expect(await terminal.ended()).toBe(1);
    expect(terminal.written).toContain("census: http://127.0.0.1:9: connection refused");
    expect(terminal.written).not.toContain("\u001b[?1049h");
  });
});

async function ending(end: (terminal: ScreenTerminal) => void): Promise<{ code: number | null; restored: boolean }> {
  const terminal = new ScreenTerminal(["top", SAMPLE]);
  await terminal.until((screen) => screen.includes("q quit"));
  expect(terminal.isFullScreen).toBe(true);
  end(terminal);
  const code = await terminal.ended();
  const lines = await terminal.screen();
  const hidden = terminal.written.lastIndexOf("\u001b[?25l");
  const shown = terminal.written.lastIndexOf("\u001b[?25h");
  return { code, restored: !terminal.isFullScreen && shown > hidden && lines.join("") === "" };
}

describe.skipIf(!hasTerminals("census top"))("the terminal", () => {
  it.each<[string, number, (terminal: ScreenTerminal) => void]>([
    ["q", 0, (terminal) => terminal.type("q")],
    ["Ctrl-C", 130, (terminal) => terminal.type(keys.ctrlC)],
    ["SIGINT", 130, (terminal) => terminal.signal("SIGINT")],
    ["SIGTERM", 143, (terminal) => terminal.signal("SIGTERM")],
    ["SIGHUP", 129, (terminal) => terminal.signal("SIGHUP")],
  ])("is as before after %s", async (_how, code, end) => {
    expect(await ending(end)).toEqual({ code, restored: true });
  });

  it("belongs to the shell while the view is suspended, and the view comes back with fg", async () => {
    const words = [...program, "top", SAMPLE].map((word) => `'${word}'`).join(" ");
    const terminal = new ScreenTerminal(["--norc", "--noprofile", "-i"], {
      program: ["bash"],
      env: { PS1: "shell> ", BASH_SILENCE_DEPRECATION_WARNING: "1" },
    });
    await terminal.until((screen) => screen.includes("shell>"));
    await terminal.press(`cd '${startFolder}'; ${words}\r`, "q quit");
    await terminal.press("2", "[2 nodes 40]");
    await terminal.press(keys.ctrlZ, "Stopped");
    expect(terminal.isFullScreen).toBe(false);
    // The shell has a line editor again, whose input is shown.
    await terminal.press("echo $((20 + 22)) lines\r", "42 lines");
    await terminal.press("fg\r", "[2 nodes 40]");
    expect(terminal.isFullScreen).toBe(true);
    await terminal.press("3", "[3 states 8]");
    terminal.type("q");
    await terminal.until((screen) => screen.trimEnd().endsWith("shell>"));
    expect(terminal.isFullScreen).toBe(false);
    terminal.type("\u0004");
    await terminal.ended();
  });
});
