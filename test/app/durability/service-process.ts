import { startProgram } from "#test/program.ts";
import { serverProcess } from "#test/running.ts";

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
  const { ready, stderr, ended, end } = serverProcess(child);
  return {
    ready,
    said: stderr,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    ended,
  };
}
