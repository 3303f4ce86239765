import { readdirSync, readFileSync } from "node:fs";

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
  // The program's name may contain spaces and brackets: count from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The same in milliseconds, exactly, of the threads that have not ended: for the difference of two moments. */
export function threadMilliseconds(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((id) =>
      Number.parseInt(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8"), 10),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** Milliseconds that all threads of this process need for some work. */
export async function processorTime(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
