import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";

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
  child.stdin.end();
  const closed = once(child, "close");
  let said = "";
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
      const ready = /^Census is ready on (https?:\S+).*\n/m.exec(said);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once("close", () => reject(new Error(`it ended: ${complaint}`)));
  });
  return {
    url,
    said: () => said,
    stop: async () => {
      child.kill("SIGINT");
      const [code] = await closed;
      return code as number | null;
    },
  };
}
