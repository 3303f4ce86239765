import type { ProcessFigures } from "../process-figures.ts";
import type { PrometheusMetric } from "./text.ts";

/**
 * The process's use of resources, under the names of all exporters. Figures the system does not provide are omitted.
 */
export function processMetrics(figures: ProcessFigures, version: string): PrometheusMetric[] {
  const heap = figures.heap();
  const files = figures.fileDescriptors();
  const rows: readonly (readonly [name: string, type: "counter" | "gauge", help: string, value: number | undefined])[] =
    [
      ["process_cpu_seconds_total", "counter", "Processor time used, in seconds", figures.cpuSeconds],
      ["process_start_time_seconds", "gauge", "When the process started, since the epoch", figures.startTime / 1000],
      ["process_resident_memory_bytes", "gauge", "Memory in use", figures.residentBytes],
      ["process_threads", "gauge", "Threads", figures.threads()?.count],
      ["process_open_fds", "gauge", "Open file descriptors", files?.used],
      ["process_max_fds", "gauge", "File descriptors there may be", files?.max],
      ["nodejs_heap_size_total_bytes", "gauge", "Memory of the heap", heap.committed],
      ["nodejs_heap_size_used_bytes", "gauge", "Memory of the heap in use", heap.used],
    ];
  const build: PrometheusMetric = {
    name: "census_build_info",
    type: "gauge",
    help: "The program",
    samples: [{ labels: { version }, value: 1 }],
  };
  return [
    build,
    ...rows.map(([name, type, help, value]): PrometheusMetric => ({
      name,
      type,
      help,
      samples: value === undefined ? [] : [{ labels: {}, value }],
    })),
  ];
}
