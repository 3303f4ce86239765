import type { CommandEvent } from "../../queue/events.ts";
import type { Family, Instruments, Registry } from "../registry.ts";

/**
 * The metrics of storing and garbage collection; names are PuppetDB's, spelling included (`reference/metrics.md §5.2`).
 */
const items = {
  "add-resources": "timer",
  "add-edges": "timer",
  "resource-hashes": "timer",
  "catalog-hash": "timer",
  "new-catalog-time": "timer",
  "new-fact-time": "timer",
  "catalog-hash-match-time": "timer",
  "catalog-hash-miss-time": "timer",
  "replace-catalog-time": "timer",
  "replace-facts-time": "timer",
  "store-report-time": "timer",
  "gc-time": "timer",
  "gc-catalogs-time": "timer",
  "gc-params-time": "timer",
  "gc-environments-time": "timer",
  "gc-packages-time": "timer",
  "gc-report-statuses": "timer",
  "gc-fact-paths": "timer",
  "new-catalogs": "counter",
  "duplicate-catalogs": "counter",
  "catalog-volitilty": "histogram",
  damages: "counter",
} as const satisfies Family;

export type StorageInstruments = Instruments<typeof items>;

/** Makes the instruments; `duplicate-pct` is the fraction of catalogs, 0 to 1, that were unchanged. */
export function storageMetrics(registry: Registry): StorageInstruments {
  const made = registry.family("storage", items);
  registry.gauge("storage", "duplicate-pct", () => {
    const duplicates = made["duplicate-catalogs"].count;
    const all = duplicates + made["new-catalogs"].count;
    return all === 0 ? 0 : duplicates / all;
  });
  return made;
}

/** What is known of the disk of a data directory. */
export interface DiskFigures {
  /** Why it cannot be written at present. */
  readonly problem: string | undefined;
  readonly freeBytes: number | undefined;
}

/** Makes the metrics of the data directory, which are of Census alone; -1: the system does not say how much is free. */
export function diskMetrics(registry: Registry, disk: DiskFigures): void {
  registry.gauge("storage", "free-bytes", () => disk.freeBytes ?? -1);
  registry.gauge("storage", "writable", () => (disk.problem === undefined ? 1 : 0));
}

/** Counts and times stored commands; call with every event of the queue. */
export function recordStored(to: StorageInstruments, event: CommandEvent): void {
  if (event.kind !== "processed") return;
  const { entry, outcome, ms } = event;
  if (entry.command === "store report") to["store-report-time"].update(ms);
  if (entry.command === "replace facts") {
    to["replace-facts-time"].update(ms);
    if (outcome === "stored") to["new-fact-time"].update(ms);
  }
  if (entry.command !== "replace catalog") return;
  to["replace-catalog-time"].update(ms);
  if (outcome === "unchanged") {
    to["duplicate-catalogs"].add();
    to["catalog-hash-match-time"].update(ms);
  } else if (outcome === "stored") {
    to["new-catalogs"].add();
    to["new-catalog-time"].update(ms);
    to["catalog-hash-miss-time"].update(ms);
  }
}
