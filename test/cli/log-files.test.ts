import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { running } from "#test/running.ts";
import { census, start, workFolder } from "./census.ts";

const folder = workFolder();

/** Waits until a log contains a text. */
async function written(file: string, name: string): Promise<void> {
  await expect.poll(() => readFileSync(file, "utf8")).toContain(name);
}

interface Entry {
  readonly level: string;
  readonly message: string;
}

const entries = (lines: string): Entry[] =>
  lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);

const json = ["serve", "--memory", "--log-format", "json"];

describe("with --log-format json every line is JSON", () => {
  it("when the server is ready", async () => {
    const child = start([...json, "--port", "0"]);
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    child.stderr.once("data", () => child.kill("SIGTERM"));
    expect(await stdout).toBe("");
    expect(entries(await stderr)[0]).toMatchObject({
      level: "info",
      message: expect.stringMatching(/^Census is ready/),
    });
  });

  it.each([
    ["a setting", ["--port", "99999"], /^--port must be a number from 0 to 65535, not "99999"$/, 2],
    ["a file", ["--port", "0", "--access-log", "/nonexistent/log"], /^\/nonexistent\/log: cannot be written/, 1],
  ])("when the server cannot start because of %s", async (_, words, message, expected) => {
    const { code, stdout, stderr } = await census([...json, ...words]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(entries(stderr)).toEqual([
      { time: expect.any(String), level: "error", message: expect.stringMatching(message) },
    ]);
  });
});

it.skipIf(process.platform === "win32")(
  "continues the access log in a new file after SIGHUP, as logrotate needs",
  async () => {
    const path = join(folder, "access.log");
    const child = start(["serve", "--memory", "--port", "0", "--access-log", path]);
    const server = await running(child);
    const request = async (name: string) => (await fetch(`${server.url}/status/v1/simple?${name}`)).text();
    try {
      await request("before");
      await written(path, "before");
      renameSync(path, `${path}.1`);
      child.kill("SIGHUP");
      await expect.poll(() => readFileSync(path, "utf8")).toBe("");
      await request("after");
      await written(path, "after");
      expect(readFileSync(`${path}.1`, "utf8")).not.toContain("after");
    } finally {
      await server.stop();
    }
  },
);
