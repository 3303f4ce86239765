import { performance } from "node:perf_hooks";
import type { CensusProcess } from "../census-process.ts";
import { directorySize } from "../directory-size.ts";
import { memoryOf } from "../memory.ts";
import { processorSeconds } from "../processor-time.ts";
import { Peaks } from "./latencies.ts";
import { keepPace } from "./pace.ts";
import { durationOf, INTERVAL, intervalsOf, type Load, ownTime } from "./plan.ts";

/** How often the sizes are looked at, in ms. */
const LOOK = 1000;

/** From one line of progress to the next, in looks. */
const PROGRESS = 60;

/** What the server needed. Sizes are the greatest of each interval, in bytes; null: unknown. */
export interface Sizes {
  /** resident memory of the server */
  readonly memory: readonly (number | null)[];
  /** all files of the data directory */
  readonly files: readonly (number | null)[];
  /** seconds for which it kept processors busy; undefined: unknown */
  readonly processor: number | undefined;
}

interface Watching {
  /** Ends the watching early. */
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/**
 * Follows the memory of a server and the size of its data for as long as requests are sent.
 * @throws the signal's reason
 */
export async function watchSizes(
  { pid, directory }: Pick<CensusProcess, "pid" | "directory">,
  load: Load,
  { signal, progress }: Watching,
): Promise<Sizes> {
  const memory = new Peaks(INTERVAL, intervalsOf(load));
  const files = new Peaks(INTERVAL, intervalsOf(load));
  const begin = ownTime(load.begin);
  let [first, last]: (number | undefined)[] = [];
  const look = (number: number): void => {
    signal.throwIfAborted();
    last = processorSeconds(pid);
    first ??= last;
    const at = performance.now() - begin;
    const [resident, size] = [memoryOf(pid)?.now, directorySize(directory)];
    files.add(at, size);
    if (resident !== undefined) memory.add(at, resident);
    if (number % PROGRESS > 0) return;
    progress(
      `minute ${Math.round(at / 60_000)} of ${load.minutes}: memory ${megabytes(resident ?? 0)}, files ${megabytes(size)}`,
    );
  };
  await keepPace(
    ["the only one"],
    { begin, every: LOOK, count: Math.floor(durationOf(load) / LOOK) },
    { prepare: (number) => number, perform: async (_, number) => look(number) },
  );
  const processor = first === undefined || last === undefined ? undefined : last - first;
  return { memory: memory.byInterval, files: files.byInterval, processor };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
