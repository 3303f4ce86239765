import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { environment, program, startFolder } from "#test/program.ts";
import { type MemoryGroup, memoryGroup } from "./cgroup.ts";

/** How a server of a campaign is started. */
export interface ServerOptions {
  readonly directory: string;
  /** ISO instant that its clock shows. */
  readonly now: string;
  /** Further arguments of `census serve`. */
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Megabytes that it may have, where control groups can be made. */
  readonly memory?: number | undefined;
}

/** A `census serve` in a process of its own. */
export interface Server {
  readonly pid: number;
  readonly directory: string;
  /** Resolves with the URLs of its listeners, plain first; rejects with what it printed when it ends first. */
  readonly ready: Promise<Urls>;
  /** Resolves with how it ended: `exit code 1`, `SIGKILL`, `SIGKILL (out of memory)`. */
  readonly ended: Promise<string>;
  /** How it ended; undefined while it runs. */
  readonly end: () => string | undefined;
  /** Everything that it printed on stderr so far, without the oldest where that is much. */
  readonly log: () => string;
  /** How many characters it has printed on stderr so far, those that {@link log} dropped included. */
  readonly logged: () => number;
  /** What it printed after that many characters, as far as it is kept. */
  readonly logSince: (before: number) => string;
  /** Resident memory in bytes, 0 when it has ended. */
  readonly memory: () => number;
  kill(signal?: NodeJS.Signals): Promise<string>;
}

export interface Urls {
  /** Without a slash at the end. */
  readonly plain: string;
  readonly tls: string | undefined;
}

/** Characters of the log that are kept. */
const LOG = 4_000_000;

/** Starts a server on a free port of the loopback address. */
export function startServer({ directory, now, words = [], env = {}, memory }: ServerOptions): Server {
  const group = memory === undefined ? undefined : memoryGroup(memory);
  const command = [...program, "serve", "--data", directory, "--port", "0", "--now", now, ...words];
  const joined = group === undefined ? command : ["/bin/sh", "-c", JOIN, "sh", group.members, ...command];
  const [first = "", ...rest] = joined;
  const child = spawn(first, rest, {
    cwd: startFolder,
    env: { ...environment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A campaign that fails leaves no server behind.
  const endIt = (): void => void child.kill("SIGKILL");
  process.once("exit", endIt);
  let [out, log, logged] = ["", "", 0];
  let end: string | undefined;
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    log = (log + piece).slice(-LOG);
    logged += piece.length;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    end = howItEnded(code as number | null, signal as string | null, group);
    group?.[Symbol.dispose]();
    process.off("exit", endIt);
    return end;
  });
  const ready = new Promise<Urls>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      out = (out + piece).slice(-10_000);
      const [, plain, tls] = /^Census is ready on (http:\S+?)\/?(?: and (https:\S+?)\/?)?\n/m.exec(out) ?? [];
      if (plain !== undefined) resolve({ plain, tls });
    });
    void ended.then((how) => reject(new Error(`the server ended with ${how}: ${log.slice(-3000).trim()}`)));
  });
  // A server that is killed while it starts is not awaited.
  ready.catch(() => undefined);
  const pid = child.pid ?? 0;
  return {
    pid,
    directory,
    ready,
    ended,
    end: () => end,
    log: () => log,
    logged: () => logged,
    logSince: (before) => log.slice(Math.max(0, log.length - (logged - before))),
    memory: () => residentMemory(pid),
    kill: async (signal = "SIGKILL") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Joins the control group, then becomes the program. */
const JOIN = 'echo $$ > "$1" && shift && exec "$@"';

function howItEnded(code: number | null, signal: string | null, group: MemoryGroup | undefined): string {
  if (signal === null) return `exit code ${code}`;
  return signal === "SIGKILL" && (group?.kills() ?? 0) > 0 ? "SIGKILL (out of memory)" : signal;
}

/** Resident memory of a process in bytes; 0 where that cannot be read. */
function residentMemory(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
