import type { Registry } from "../registry.ts";
import type { StorageInstruments } from "./storage.ts";

/** The counters and timers of a maintenance operation. */
interface Measured {
  /** runs, not the things that they processed */
  readonly counter: string;
  readonly timer: string;
  /** the timer of storage that it writes to as well */
  readonly storage?: keyof StorageInstruments;
}

/** Per operation (`reference/lifecycle.md §7.4`, `reference/metrics.md §5.2, §5.4`). */
const operations = {
  expire_nodes: { counter: "node-expirations", timer: "node-expiration-time" },
  purge_nodes: { counter: "node-purges", timer: "node-purge-time" },
  purge_reports: { counter: "report-purges", timer: "report-purge-time" },
  purge_resource_events: { counter: "resource-event-purges", timer: "resource-events-purge-time" },
  gc_packages: { counter: "package-gcs", timer: "package-gc-time", storage: "gc-packages-time" },
  gc_catalogs: { counter: "catalog-gcs", timer: "catalog-gc-time", storage: "gc-catalogs-time" },
  gc_fact_paths: { counter: "fact-path-gcs", timer: "fact-path-gc-time", storage: "gc-fact-paths" },
  other: { counter: "other-cleans", timer: "other-clean-time", storage: "gc-time" },
} as const satisfies Readonly<Record<string, Measured>>;

export type MaintenanceOperation = keyof typeof operations;

/** Counts maintenance. */
export class AdminMetrics {
  readonly #registry: Registry;
  readonly #storage: StorageInstruments;

  /** @param cleaning returns the running operation, in PuppetDB's words; empty if there is none */
  constructor(registry: Registry, storage: StorageInstruments, cleaning: () => string) {
    this.#registry = registry;
    this.#storage = storage;
    registry.gauge("admin", "cleaning", cleaning);
    for (const { counter, timer } of Object.values(operations)) {
      registry.get("admin", counter, "counter");
      registry.get("admin", timer, "timer");
    }
  }

  /** Records a run of an operation and its duration. */
  ran(operation: MaintenanceOperation, ms: number): void {
    const { counter, timer, storage }: Measured = operations[operation];
    this.#registry.get("admin", counter, "counter").add();
    this.#registry.get("admin", timer, "timer").update(ms);
    if (storage === undefined) return;
    (this.#storage[storage] as { update(ms: number): void }).update(ms);
    // Every operation that collects garbage also counts as garbage collection.
    if (storage !== "gc-time") this.#storage["gc-time"].update(ms);
  }
}
