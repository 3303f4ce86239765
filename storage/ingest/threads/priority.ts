import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * How much less urgent a thread's work is than what others wait for, as the system counts it (`nice`). Beside a program that
 * takes whole processors it still gets a tenth of one, which prepares the commands of more nodes than one server has.
 */
const IN_THE_BACKGROUND = 10;

/**
 * Lets other threads go first from now on. Only Linux knows the urgency of a single thread; elsewhere, or where it must not
 * be changed, nothing happens.
 */
export function letOthersGoFirst(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (process.platform === "linux" && thread !== process.pid) setPriority(thread, lower(getPriority()));
  } catch {
    // It is as urgent as before.
  }
}

/** The priority of a background thread of a process of this one, which may have been started with `nice`. */
function lower(priority: number): number {
  return Math.min(constants.priority.PRIORITY_LOW, priority + IN_THE_BACKGROUND);
}
