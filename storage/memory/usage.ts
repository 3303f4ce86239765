import { readFileSync } from "node:fs";

/**
 * Bytes of memory that belong to the process only. Pages of files, such as the program itself, can be dropped at any
 * time and do not count; they do where the system does not distinguish them.
 */
export function ownMemory(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync("/proc/self/statm", "latin1").split(" ").map(Number);
    // Pages have 4 kB on every platform with `/proc`.
    return (resident - shared) * 4096;
  } catch {
    return residentMemory();
  }
}

/** Bytes of the process that are in memory; 0 where the system does not say, as Linux without `/proc`. */
export function residentMemory(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
