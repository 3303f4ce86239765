import { spawn } from "node:child_process";
import { once } from "node:events";
import type { WriteStream } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { CensusError } from "#storage/errors.ts";
import { benchFolder } from "./population.ts";

/** Census as a user runs it. */
export interface CensusProcess {
  readonly pid: number;
  /** where its data are */
  readonly directory: string;
  /** without a slash at the end */
  readonly url: string;
  /** Stops it and waits until it has ended. */
  close(): Promise<void>;
}

const source = resolve(import.meta.dirname, "../../cli/main.ts");

/** What is started: Node with our source, or the program that `npm run package` has made. */
export interface Start {
  readonly program: string;
  readonly words: readonly string[];
}

/** @param profile whether a profile is written */
export function fromSource(profile: boolean): Start {
  const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${join(benchFolder, "profiles")}`] : [];
  return { program: process.execPath, words: [...profiling, source] };
}

/**
 * Starts `census serve --data` with everything else at its default, the clock apart.
 * @param now what its clock shows, as ISO text; undefined: that of the machine
 * @param words further arguments
 * @param log an open file that it logs to; its messages are among the progress of the benchmark by default
 */
export async function startCensus(
  directory: string,
  now: string | undefined,
  start: Start,
  words: readonly string[] = [],
  log: WriteStream | "inherit" = "inherit",
): Promise<CensusProcess> {
  const clock = now === undefined ? [] : ["--now", now];
  const child = spawn(
    start.program,
    [...start.words, "serve", "--data", directory, "--port", "0", ...clock, ...words],
    { stdio: ["ignore", "pipe", log] },
  );
  const ended = once(child, "exit");
  const ready = (async (): Promise<string | undefined> => {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /is ready on (\S+)/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    return undefined;
  })();
  const url = await ready;
  if (url === undefined) {
    const [code, signal] = (await ended) as [number | null, string | null];
    throw new CensusError("bad-file", `census serve ended with ${signal ?? code} before it was ready`);
  }
  return {
    pid: child.pid ?? 0,
    directory,
    url: url.replace(/\/$/, ""),
    close: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
