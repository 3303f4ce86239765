import { existsSync, readdirSync, readFileSync } from "node:fs";
import { statisticsOf } from "./statistics.ts";

/** Resident memory of a process, in bytes. */
export interface Memory {
  readonly now: number;
  /** the most it has been since the process started */
  readonly peak: number;
}

/** How often a process that is watched is looked at, in ms. */
const INTERVAL = 20;

/**
 * What the system says about a process' memory; undefined where the system has no `/proc`. Not `process.resourceUsage()`:
 * its peak begins with that of the process which started this one.
 */
export function memoryOf(pid: number | "self"): Memory | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const bytes = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1]);
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** By how many bytes a process' resident memory rose at most. */
export interface Rise {
  readonly whole: number;
  /** what it had risen by as a rule in the last third of the time, not at most */
  readonly atEnd: number;
}

/**
 * Watches a process while `work` runs.
 * @returns what `work` made, and by how many bytes the process' resident memory rose at most; undefined without `/proc`
 */
export async function growthDuring<T>(pid: number, work: () => Promise<T>): Promise<[T, number | undefined]> {
  const [made, rise] = await riseDuring(pid, work);
  return [made, rise?.whole];
}

/** {@link growthDuring}, and what it rose by as a rule towards the end. */
export async function riseDuring<T>(pid: number, work: () => Promise<T>): Promise<[T, Rise | undefined]> {
  const before = memoryOf(pid);
  if (before === undefined) return [await work(), undefined];
  const seen: number[] = [];
  const look = (): void => {
    seen.push(memoryOf(pid)?.now ?? 0);
  };
  const timer = setInterval(look, INTERVAL);
  try {
    const made = await work();
    look();
    // A peak higher than the one before can only have been reached meanwhile, perhaps between two looks.
    const { peak } = memoryOf(pid) ?? before;
    return [made, riseOf(before.now, seen, peak > before.peak ? peak : 0)];
  } finally {
    clearInterval(timer);
  }
}

/**
 * What a process rose by.
 * @param seen what it had, from look to look
 * @param peak the most it had, whenever that was
 */
export function riseOf(before: number, seen: readonly number[], peak: number): Rise {
  const end = statisticsOf(seen.slice(Math.floor((seen.length * 2) / 3))).median;
  return { whole: Math.max(before, peak, ...seen) - before, atEnd: Math.max(0, end - before) };
}

/**
 * Memory of processes together, in bytes; what they share counts once. Undefined where the system does not report it, or not
 * for processes of other users.
 */
export function proportionalMemory(pids: readonly number[]): number | undefined {
  try {
    return pids.reduce((sum, pid) => sum + proportionOf(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")), 0);
  } catch {
    return undefined;
  }
}

/** The share of a process in the figures of `smaps_rollup`, in bytes. */
function proportionOf(rollup: string): number {
  return 1024 * Number(/^Pss:\s*(\d+) kB/m.exec(rollup)?.[1]);
}

/** A process and all that it has started, and these in turn, as far as they still run; none where there is no `/proc`. */
export function processTree(pid: number): number[] {
  const parents = new Map(runningProcesses().map((each) => [each, parentOf(each)]));
  const tree = parents.has(pid) ? [pid] : [];
  // The list grows while it is walked: children follow their parents.
  for (const parent of tree) {
    tree.push(...[...parents].filter(([, its]) => its === parent).map(([child]) => child));
  }
  return tree;
}

function runningProcesses(): number[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  try {
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
