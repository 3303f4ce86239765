import { readFileSync } from "node:fs";

/** Descriptors reserved for everything but connections: the store, its threads, logs. */
const RESERVED = 128;

/** A connection uses one descriptor, and another one for the file of an upload. */
const PER_CONNECTION = 2;

/** Minimum, even for a process with a very low descriptor limit. */
const LEAST = 16;

/**
 * How many connections fit below the descriptor limit of the process.
 * @param files the limit; infinite where there is none
 */
export function connectionsWithin(files: number): number {
  return Math.max(LEAST, Math.floor((files - RESERVED) / PER_CONNECTION));
}

/** How many files, sockets included, this process may have open at a time. */
export function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined || soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return reportedLimit();
  }
}

/** Where there is no `/proc`. Windows has no such limit. */
function reportedLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}
