import { readFileSync } from "node:fs";

/** Clock ticks in a second, as Linux counts them for programs on every architecture. */
const TICKS = 100;

/** Seconds that all threads of a process have kept processors busy; undefined where the system has no `/proc`. */
export function processorSeconds(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The program's name may hold anything, even spaces and brackets: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
