import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A control group that bounds the memory of the processes in it. */
export interface MemoryGroup extends Disposable {
  /** Where a process writes its id to join. */
  readonly members: string;
  /** How many times the kernel has ended a process of it for want of memory. */
  kills(): number;
}

const v1 = "/sys/fs/cgroup/memory";
const v2 = "/sys/fs/cgroup";

let count = 0;

/**
 * Makes a control group with this much memory, without swap.
 * @param megabytes what its processes may have together
 * @returns undefined where this process may not make any
 */
export function memoryGroup(megabytes: number): MemoryGroup | undefined {
  const name = `census-campaign-${process.pid}-${count++}`;
  return (
    tryGroup(join(v1, name), "memory.oom_control", [
      ["memory.limit_in_bytes", megabytes],
      ["memory.memsw.limit_in_bytes", megabytes],
    ]) ??
    tryGroup(join(v2, name), "memory.events", [
      ["memory.max", megabytes],
      ["memory.swap.max", 0],
    ])
  );
}

type Limit = readonly [file: string, megabytes: number];

/** The first limit has to hold; the others bound swap, which not every kernel counts. */
function tryGroup(folder: string, events: string, [main, ...others]: readonly Limit[]): MemoryGroup | undefined {
  const set = ([file, megabytes]: Limit): void => writeFileSync(join(folder, file), String(megabytes * 1024 * 1024));
  try {
    // A file of the control group's own: where there is no control-group file system, mkdir would make a plain folder.
    readFileSync(join(folder, "..", "cgroup.procs"));
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  const remove = (): void => {
    try {
      rmdirSync(folder);
    } catch {
      // A process of it has not quite ended; an empty group costs nothing.
    }
  };
  try {
    if (main !== undefined) set(main);
  } catch {
    remove();
    return undefined;
  }
  for (const limit of others) {
    try {
      set(limit);
    } catch {
      continue;
    }
  }
  const kills = (): number => Number(/oom_kill (\d+)/.exec(readFileSync(join(folder, events), "utf8"))?.[1] ?? 0);
  return { members: join(folder, "cgroup.procs"), kills, [Symbol.dispose]: remove };
}
