import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { constants as os } from "node:os";
import { join } from "node:path";

/** Groups of calls: what `shim.c` calls them. */
export const calls = { write: 1, sync: 2, truncate: 4, open: 8, rename: 16, unlink: 32, allocate: 64 } as const;

/** How a call fails: without having done anything, having written half and said so, having written half and failed. */
export const styles = { fail: 0, short: 1, torn: 2 } as const;

/** Which files: all of the data directory, the engine's log, the queue's, the engine's log and file. */
export const targets = { all: 0, log: 1, queue: 2, database: 3 } as const;

/** What shall fail. */
export interface Faults {
  readonly calls: readonly (keyof typeof calls)[];
  readonly error: keyof typeof os.errno;
  readonly style: keyof typeof styles;
  /** How many of a thousand calls. */
  readonly perMille: number;
  /** Calls that are let through first. */
  readonly skip: number;
  readonly target: keyof typeof targets;
}

/** A shim that has been compiled, and how a process gets it. */
export interface Shim extends Disposable {
  readonly env: NodeJS.ProcessEnv;
  on(faults: Faults): void;
  off(): void;
  /** How many calls have failed since faults were switched on. */
  injected(): number;
}

const WORDS = 8;
const INJECTED = 7;

/**
 * Compiles the shim.
 * @param folder where it goes
 * @param directory whose files it is about
 * @returns why that is not possible here, e.g. that there is no compiler
 */
export function compileShim(folder: string, directory: string): Shim | string {
  if (process.platform !== "linux") return "faults of file calls need Linux";
  mkdirSync(folder, { recursive: true });
  const library = join(folder, "shim.so");
  const source = join(import.meta.dirname, "shim.c");
  const problems: string[] = [];
  for (const compiler of ["cc", "gcc", "clang"]) {
    try {
      execFileSync(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], { stdio: "pipe" });
      return opened(folder, library, directory);
    } catch (error) {
      problems.push(`${compiler}: ${String(error).split("\n").slice(0, 3).join(" ")}`);
    }
  }
  return `faults of file calls need a C compiler: ${problems.join("; ")}`;
}

function opened(folder: string, library: string, directory: string): Shim {
  const path = join(folder, "control");
  writeFileSync(path, Buffer.alloc(WORDS * 4));
  const file = openSync(path, "r+");
  const put = (words: readonly number[]): void => {
    const bytes = Buffer.alloc(words.length * 4);
    for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4);
    writeSync(file, bytes, 0, bytes.length, 0);
  };
  const get = (index: number): number => {
    const bytes = Buffer.alloc(4);
    readSync(file, bytes, 0, 4, index * 4);
    return bytes.readUInt32LE(0);
  };
  return {
    env: { LD_PRELOAD: library, CENSUS_FAULTS_CONTROL: path, CENSUS_FAULTS_DIRECTORY: directory },
    on: ({ calls: names, error, style, perMille, skip, target }) => {
      const mask = names.reduce((sum, name) => sum | calls[name], 0);
      // Which calls comes last, for that is what switches faults on.
      put([0, os.errno[error], styles[style], perMille, skip, targets[target], 0, 0]);
      put([mask]);
    },
    off: () => put([0]),
    injected: () => get(INJECTED),
    [Symbol.dispose]: () => closeSync(file),
  };
}
