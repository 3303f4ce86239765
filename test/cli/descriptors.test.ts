import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { environment, program, startFolder } from "#test/program.ts";
import { a } from "#test/fixture-store.ts";

/** Few enough that connections would take them all. */
const FILES = 256;
const CONNECTIONS = 300;

let child: ChildProcess | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  if (child === undefined || child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
});

it.skipIf(process.platform === "win32")(
  "accepts commands with more idle connections than the process may have open files",
  async () => {
    const limited = `ulimit -n ${FILES}; exec "$@"`;
    child = spawn("bash", ["-c", limited, "bash", ...program, "serve", "--memory", "--port", "0"], {
      cwd: startFolder,
      env: environment(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const url = await readyUrl(child);
    const { hostname, port } = new URL(url);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const socket = connect(Number(port), hostname).on("error", () => undefined);
        sockets.push(socket);
        await once(socket, "connect");
      }),
    );
    // Large enough that threads are started for it.
    const { payload, certname } = a.facts("alpha", { values: { long: "x".repeat(500_000) } });
    const parameters = `command=replace_facts&version=5&certname=${certname}&secondsToWaitForCompletion=60`;
    const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: payload,
    });
    expect(await answer.json()).toMatchObject({ processed: true });
    expect((await fetch(`${url}/status/v1/simple`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  },
);

async function readyUrl({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const piece of stdout ?? []) {
    const [, url] = /ready on (http:\S+)\n/.exec((said += String(piece))) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`it ended: ${said}`);
}
