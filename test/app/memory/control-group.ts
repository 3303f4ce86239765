import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "#storage/errors.ts";

/** A control group with a limit on memory, of whichever version there is. */
export interface ControlGroup {
  /** File that a process's id is written to so that it is in the group. */
  readonly processes: string;
  /** Times that the system ended a process in it for its memory. */
  kills(): number;
  /** Removes it, once its processes are gone. */
  remove(): Promise<void>;
}

const versions = [
  { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", kills: "memory.oom_control" },
  { root: "/sys/fs/cgroup", limit: "memory.max", kills: "memory.events" },
] as const;

let made = 0;

/**
 * Creates a control group with this limit in bytes.
 * @throws Error saying why there can be none
 */
export function makeControlGroup(bytes: number): ControlGroup {
  const problems: string[] = [];
  for (const { root, limit, kills } of versions) {
    const folder = `${root}/census-test-${process.pid}-${made++}`;
    try {
      mkdirSync(folder);
    } catch (error) {
      problems.push(messageOf(error));
      continue;
    }
    try {
      // A file that is not there cannot be made in this file system.
      writeFileSync(`${folder}/${limit}`, String(bytes), { flag: "r+" });
    } catch (error) {
      rmdirSync(folder);
      problems.push(messageOf(error));
      continue;
    }
    return {
      processes: `${folder}/cgroup.procs`,
      kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(`${folder}/${kills}`, "utf8"))?.[1] ?? 0),
      remove: () => removed(folder),
    };
  }
  throw new Error(problems.join("; "));
}

/** A process that has ended leaves its group a moment later. */
async function removed(folder: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(50);
    }
  }
}

/** Why no control group can be made here; undefined: they can. */
export async function controlGroupProblem(): Promise<string | undefined> {
  try {
    await makeControlGroup(64 * 1024 * 1024).remove();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
