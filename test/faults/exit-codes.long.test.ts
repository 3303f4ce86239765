import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { exitCode } from "#test/campaign/main.ts";
import { startServer } from "#test/campaign/server.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { leaveOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { compileShim } from "./shim.ts";

const root = join(import.meta.dirname, "../..");

/** Exit code of a service whose database file only another process can open. */
const REOPEN_FAILED = 3;

it("a campaign that finds no C compiler ends with an exit code of its own and says that nothing was run", async () => {
  await using folder = await temporaryFolder();
  const child = spawn(process.execPath, [join(root, "test/faults/run.ts"), "--count", "1"], {
    // No program can be found in an empty folder.
    env: { ...process.env, PATH: folder.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect(stderr).toMatch(/^faults: NOT RUN\. faults of file calls need (a C compiler|Linux)/m);
  expect(code).toBe(exitCode.impossible);
});

it("a service that cannot reopen its file ends with an exit code that a service manager restarts", async ({ skip }) => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, "data");
  await mkdir(directory);
  const shim = compileShim(join(folder.path, "shim"), directory);
  if (typeof shim === "string") {
    leaveOut("a file that cannot be opened again", shim, RESTRICTED_MACHINE);
    return skip();
  }
  using faults = shim;
  const report = new CommandMaker(1, 5, 5).make("report", "a.example.com", 1);
  const path = "/pdb/cmd/v1?command=store_report&version=8&certname=a.example.com";
  const server = startServer({ directory, now: NOW, env: faults.env });
  try {
    const { plain } = await server.ready;
    using connection = new Connection(plain);
    // The engine's log cannot be written, and its files cannot be opened again for a reason that is not the disk's.
    faults.on({
      calls: ["write", "open"],
      error: "EACCES",
      style: "fail",
      perMille: 1000,
      skip: 0,
      target: "database",
    });
    expect(await connection.send("POST", path, report.payload)).toMatchObject({ status: 200 });
    const end = await Promise.race([server.ended, delay(90_000, "still running", { ref: false })]);
    expect(end).toBe(`exit code ${REOPEN_FAILED}`);
    expect(server.log()).toMatch(/this process cannot reopen the database file and exits: .*Permission denied/);
  } finally {
    await server.kill();
  }
  const unit = readFileSync(join(root, "packaging/systemd/census.service"), "utf8");
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(unit.match(/^RestartPreventExitStatus=(.*)$/m)?.[1]?.split(" ")).not.toContain(String(REOPEN_FAILED));
  const next = startServer({ directory, now: NOW });
  try {
    const { plain } = await next.ready;
    using connection = new Connection(plain);
    await expect.poll(async () => (await connection.rows("reports", undefined)).length, { timeout: 20_000 }).toBe(1);
  } finally {
    await next.kill();
  }
});
