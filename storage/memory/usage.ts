import { readFileSync } from "node:fs";

/** Bytes of the system's pages, on every platform with `/proc`. */
const PAGE = 4096;

/**
 * Bytes of memory that belong to the process only. Pages of files, such as the program itself, can be dropped at any
 * time and do not count; they do where the system does not distinguish them.
 */
export function ownMemory(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync("/proc/self/statm", "latin1").split(" ").map(Number);
    return (resident - shared) * PAGE;
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
