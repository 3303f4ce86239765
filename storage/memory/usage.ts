import { readFileSync } from "node:fs";

/** The system's pages, bytes; on every platform with `/proc`. */
const PAGE = 4096;

/**
 * Bytes of memory that are the process's own. Pages of files, such as the program itself, can be dropped at any time and do
 * not count; where the system does not tell them apart, they do.
 */
export function ownMemory(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync("/proc/self/statm", "latin1").split(" ").map(Number);
    return (resident - shared) * PAGE;
  } catch {
    return process.memoryUsage.rss();
  }
}
