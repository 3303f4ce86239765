import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";

/** A server's process from its start to its end. */
export interface ServerProcess {
  /** The server's URL once it listens; rejects with what it wrote on stderr when it ends first. */
  readonly ready: Promise<string>;
  /** What it has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has ended, however that came about. */
  readonly ended: Promise<unknown>;
  /** Sends it a signal and waits for its end; its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Watches an `open` or `serve` that was just started. */
export function serverProcess(child: ChildProcessWithoutNullStreams): ServerProcess {
  child.stdin.end();
  const ended = once(child, "close");
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    stderr += piece;
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      const [, url] = /^Census is ready on (https?:\S+).*\n/m.exec(stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("close", () => reject(new Error(`it ended: ${stderr}`)));
  });
  // One that is killed while it starts is not awaited.
  ready.catch(() => undefined);
  return {
    ready,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** A server that was started. */
export interface Running {
  readonly url: string;
  /** What it has said on stdout so far. */
  readonly said: () => string;
  /** Ends it as Ctrl-C does; its exit code. */
  stop(): Promise<number | null>;
}

/** Waits until a started `open` or `serve` is ready. @throws Error with what it said if it ends before */
export async function running(child: ChildProcessWithoutNullStreams): Promise<Running> {
  const server = serverProcess(child);
  return { url: await server.ready, said: server.stdout, stop: () => server.end("SIGINT") };
}
