import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { residentMemory } from "#storage/memory/usage.ts";

/** Bytes. `max` -1: there is no limit. */
export type MemoryUsage = Readonly<Record<"init" | "committed" | "max" | "used", number>>;

/** Runs of a garbage collector and the time they took, in ms; `last`: the latest one's. */
export interface Collections {
  readonly count: number;
  readonly ms: number;
  readonly last: number;
}

/** The collectors, by the kind that the runtime reports. */
const collectors: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "Scavenge",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "MarkSweepCompact",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "IncrementalMarking",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "WeakCallbacks",
};

/** A look at processor time is compared with an earlier one that is at least this old (ms). */
const CPU_WINDOW = 5000;

interface CpuLook {
  readonly at: number;
  /** ms of processor time: of this process, and all cores' together, busy and in all */
  readonly own: number;
  readonly busy: number;
  readonly all: number;
}

/** The process's use of resources. Figures that the system does not provide are undefined. */
export class ProcessFigures {
  /** When the process started, in ms since the epoch. */
  readonly startTime = Math.round(performance.timeOrigin);
  readonly processors = availableParallelism();
  readonly #initialHeap = getHeapStatistics().total_heap_size;
  readonly #collections = new Map(Object.values(collectors).map((name) => [name, { count: 0, ms: 0, last: 0 }]));
  readonly #observer: PerformanceObserver;
  #peakThreads = 0;
  #before: CpuLook = { at: 0, own: 0, busy: 0, all: 0 };
  #load = { own: 0, system: 0 };

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#collected(entry);
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  /** Ends the watch over garbage collection. */
  close(): void {
    this.#observer.disconnect();
  }

  /** Milliseconds. */
  get uptime(): number {
    return Math.round(performance.now());
  }

  get residentBytes(): number {
    return residentMemory();
  }

  /** Seconds of processor time. */
  get cpuSeconds(): number {
    return processCpu() / 1000;
  }

  heap(): MemoryUsage {
    const { total_heap_size: committed, heap_size_limit: max, used_heap_size: used } = getHeapStatistics();
    return { init: this.#initialHeap, committed, max, used };
  }

  /** Memory outside of the heap: mostly the engine's. */
  outsideHeap(): MemoryUsage {
    const used = Math.max(0, this.residentBytes - getHeapStatistics().total_heap_size);
    return { init: 0, committed: used, max: -1, used };
  }

  heapSpaces(): ReadonlyMap<string, MemoryUsage> {
    return new Map(
      getHeapSpaceStatistics().map(({ space_name: name, space_size: committed, space_used_size: used }) => [
        name,
        { init: 0, committed, max: -1, used },
      ]),
    );
  }

  threads(): { readonly count: number; readonly peak: number } | undefined {
    const count = Number(/^Threads:\s*(\d+)/m.exec(systemFile("/proc/self/status"))?.[1]);
    if (Number.isNaN(count)) return undefined;
    this.#peakThreads = Math.max(this.#peakThreads, count);
    return { count, peak: this.#peakThreads };
  }

  fileDescriptors(): { readonly used: number; readonly max: number } | undefined {
    try {
      const used = readdirSync("/proc/self/fd").length;
      const max = /^Max open files\s+(\w+)/m.exec(systemFile("/proc/self/limits"))?.[1];
      return { used, max: max === undefined || max === "unlimited" ? -1 : Number(max) };
    } catch {
      return undefined;
    }
  }

  /** Fractions, 0 to 1, of all cores' time that this process and the whole machine used recently. */
  cpuLoad(): { readonly own: number; readonly system: number } {
    const now = lookAtCpu();
    const before = this.#before;
    const all = now.all - before.all;
    if (now.at - before.at < CPU_WINDOW || all <= 0) return this.#load;
    const own = (now.own - before.own) / ((now.at - before.at) * this.processors);
    this.#load = { own: Math.min(1, own), system: (now.busy - before.busy) / all };
    this.#before = now;
    return this.#load;
  }

  collections(): ReadonlyMap<string, Collections> {
    return this.#collections;
  }

  #collected({ duration, detail }: PerformanceEntry & { detail?: unknown }): void {
    const collector = this.#collections.get(collectors[(detail as { kind?: number } | undefined)?.kind ?? -1] ?? "");
    if (collector === undefined) return;
    collector.count++;
    collector.ms += duration;
    collector.last = duration;
  }
}

function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function lookAtCpu(): CpuLook {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (kinds: readonly (keyof (typeof times)[number])[]): number =>
    times.reduce((total, time) => total + kinds.reduce((part, kind) => part + time[kind], 0), 0);
  const busy = sum(["user", "nice", "sys", "irq"]);
  return { at: performance.now(), own: processCpu(), busy, all: busy + sum(["idle"]) };
}

/** A file that Linux makes up; empty elsewhere. */
function systemFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
