import { once } from "node:events";
import { startProgram } from "#test/program.ts";

/** The program serving a data directory, in a process of its own that can be ended the hard way. */
export interface ServiceProcess {
  /** Resolves when it listens; rejects with what it said when it ends first. */
  readonly ready: Promise<string>;
  /** What it has said on stderr so far. */
  readonly said: () => string;
  /** Ends it between two instructions, wherever it is. */
  kill(): Promise<void>;
  /** Ends it as an init system does; its exit code. */
  stop(): Promise<number | null>;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts the program with its clock at `now`.
 * @param options.data bytes of memory that the system lets it have for data; absent: as many as there are
 * @param options.words further options of the program
 */
export function startProcess(
  directory: string,
  now: string,
  { data, words = [] }: { readonly data?: number; readonly words?: readonly string[] } = {},
): ServiceProcess {
  const limits = data === undefined ? {} : { limits: `ulimit -c 0; ulimit -d ${Math.round(data / 1024)}` };
  const child = startProgram(["serve", "--data", directory, "--port", "0", "--now", now, ...words], limits);
  child.stdin.end();
  const closed = once(child, "close");
  let said = "";
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
      const [, url] = /^Census is ready on (http:\S+)\n/m.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("close", () => reject(new Error(`it ended: ${complaint}`)));
  });
  // One that is killed while it starts is not awaited.
  ready.catch(() => undefined);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await closed;
    return code as number | null;
  };
  return {
    ready,
    said: () => complaint,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    ended: closed,
  };
}
