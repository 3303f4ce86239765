import { once } from "node:events";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { startProgram } from "#test/program.ts";

/** Runs code in the program's process, before any of its own. */
function injected(code: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

let child: ChildProcessWithoutNullStreams | undefined;
afterEach(async () => {
  if (child === undefined || child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
});

/** Resolves with what a stream has said as soon as that matches; rejects when the program ends first. */
async function said(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray> {
  const program = child;
  if (program === undefined) throw new Error("nothing was started");
  let text = "";
  return new Promise((resolve, reject) => {
    program[stream].setEncoding("utf8").on("data", (piece: string) => {
      const found = pattern.exec((text += piece));
      if (found !== null) resolve(found);
    });
    program.once("close", (code, signal) => reject(new Error(`it ended: ${code ?? signal} ${text}`)));
  });
}

it("a service continues after an uncaught exception", async () => {
  const env = injected(`
    process.on("SIGUSR2", () => {
      Promise.reject(new Error("rejected unseen"));
      setImmediate(() => { throw new Error("thrown unseen"); });
    });
  `);
  child = startProgram(["serve", "--memory", "--port", "0"], { env, isFromSource: true });
  const [, url = ""] = await said("stdout", /ready on (http:\S+)\n/);
  const logged = Promise.all([said("stderr", /rejected unseen/), said("stderr", /thrown unseen/)]);
  child.kill("SIGUSR2");
  await logged;
  expect((await fetch(`${url}/status/v1/simple`)).status).toBe(200);
});

// The first file that is loaded after the one with the handler, and a later one.
it.each(["/prepare-process.ts", "/process.ts", "/run.ts"])(
  "a service that gets SIGHUP while it loads %s handles it later",
  async (file) => {
    const env = injected(`
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.endsWith("${file}")) {
        process.stderr.write("raised while it loads " + name + "\\n");
        process.kill(process.pid, "SIGHUP");
      }
      return next(name, context);
    } });
  `);
    child = startProgram(["serve", "--memory", "--port", "0"], { env, isFromSource: true });
    await said("stderr", /raised while /);
    const [, url = ""] = await said("stdout", /ready on (http:\S+)\n/);
    expect((await fetch(`${url}/status/v1/simple`)).status).toBe(200);
  },
);
