import type { MemoryUsage, ProcessFigures } from "../metrics/process-figures.ts";

/**
 * The status of the process at level `debug`, with the keys that collectors store
 * (`reference/metrics.md §7`). Figures that the system does not provide are omitted.
 */
export function processStatus(figures: ProcessFigures): Record<string, unknown> {
  const threads = figures.threads();
  const files = figures.fileDescriptors();
  const collections = [...figures.collections()];
  const collected = collections.reduce((sum, [, { ms }]) => sum + ms, 0);
  return {
    "cpu-usage": percent(figures.cpuLoad().own),
    "gc-cpu-usage": percent(collected / Math.max(1, figures.uptime)),
    "up-time-ms": figures.uptime,
    "start-time-ms": figures.startTime,
    "heap-memory": memory(figures.heap()),
    "non-heap-memory": memory(figures.outsideHeap()),
    "memory-pools": Object.fromEntries(
      [...figures.heapSpaces()].map(([name, usage]) => [name, { type: "HEAP", usage: memory(usage) }]),
    ),
    ...(threads === undefined
      ? {}
      : { threading: { "thread-count": threads.count, "peak-thread-count": threads.peak } }),
    "gc-stats": Object.fromEntries(
      collections.map(([name, { count, ms, last }]) => [
        name,
        { count, "total-time-ms": Math.round(ms), "last-gc-info": { "duration-ms": Math.round(last) } },
      ]),
    ),
    ...(files === undefined ? {} : { "file-descriptors": files }),
    "nio-buffer-pools": {},
  };
}

function memory({ committed, init, max, used }: MemoryUsage): MemoryUsage {
  return { committed, init, max, used };
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100;
}
