import type { Registry } from "#storage/metrics/registry.ts";
import { SILENT_AFTER_MS, type SilentAfter } from "#storage/states/node-state.ts";
import type { Store } from "#storage/store.ts";
import { Catalogue } from "./catalogue.ts";
import { ProcessFigures } from "./process-figures.ts";

/** What the routes of metrics and status read; one per service. */
export interface MetricsContext {
  readonly store: Store;
  readonly registry: Registry;
  readonly figures: ProcessFigures;
  readonly beans: Catalogue;
  /** `metrics-per-node`: whether `/metrics` has series of each node unless a request selects others. */
  readonly isPerNode: boolean;
  readonly silentAfter: SilentAfter;
}

/** The caller closes `figures` when the service ends. */
export function metricsContext(
  store: Store,
  registry: Registry,
  { isPerNode = false, silentAfter = SILENT_AFTER_MS }: Partial<Pick<MetricsContext, "isPerNode" | "silentAfter">> = {},
): MetricsContext {
  const figures = new ProcessFigures();
  return { store, registry, figures, beans: new Catalogue(registry, figures), isPerNode, silentAfter };
}
