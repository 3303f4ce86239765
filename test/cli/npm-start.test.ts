import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { sourceEnvironment } from "#test/program.ts";
import { workFolder } from "./census.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = workFolder();
const entry = join(root, "cli/census.cjs");

/** Waits until a process has said a text; all of what it has said. */
async function until(stdout: Readable, wanted: RegExp): Promise<string> {
  let said = "";
  for await (const piece of stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += String(piece);
    if (wanted.test(said)) return said;
  }
  throw new Error(`it ended: ${said}`);
}

describe.skipIf(process.platform === "win32")("a server that npm started", () => {
  it.each([["start"], ["npx"]])("ends when npm %s is killed, whose shell passes no signal on", async (event) => {
    // As npm does it: a shell that waits for the program.
    const command = `"${process.execPath}" cli/main.ts serve --memory --port 0; echo`;
    const env = sourceEnvironment({ npm_lifecycle_event: event });
    const shell = spawn("sh", ["-c", command], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    await until(shell.stdout, /Census is ready on \S+/);
    const ended = once(shell, "exit");
    shell.kill("SIGTERM");
    await ended;
    // The server keeps the other end open until it ends.
    await text(shell.stdout);
    expect(shell.stdout.readableEnded).toBe(true);
  });
});

describe("the command that a package manager installs", () => {
  const { engines, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    engines: { node: string };
    bin: { census: string };
  };

  it("runs", () => {
    expect(resolve(root, bin.census)).toBe(entry);
    const run = spawnSync(process.execPath, [entry, "--version"], { encoding: "utf8", env: sourceEnvironment() });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(["0.10.48", "20.20.2", "24.10.0"])("prints on Node %s which version it needs", (version) => {
    const other = join(folder, `node-${version}.cjs`);
    writeFileSync(other, `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`);
    const run = spawnSync(process.execPath, ["--require", other, entry, "status"], { encoding: "utf8" });
    const needed = engines.node.replace(">=", "");
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toBe(
      `census: Node ${needed} or newer is needed; this is Node ${version}, ${process.execPath}\n`,
    );
  });
});
