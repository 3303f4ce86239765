import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Lowers the priority of the calling thread. Only Linux has a priority for each thread; on other systems, or where it may not
 * be changed, nothing happens.
 */
export function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (process.platform === "linux" && thread !== process.pid) setPriority(thread, lower(getPriority()));
  } catch {
    // The priority stays as it is.
  }
}

/** The priority of a background thread; its process may have been started with `nice`. */
function lower(priority: number): number {
  // What a background thread adds to the `nice` value of its process: one that prepares commands, or matches patterns that take
  // long. Next to a program that uses whole processors it still gets a tenth of one, which is enough for the commands of more
  // nodes than one server has.
  return Math.min(constants.priority.PRIORITY_LOW, priority + 10);
}
