import type { ExplorerSource } from "./services.ts";
import { defaultExplorerSettings, type ExplorerSettings } from "./settings.ts";

/** What a service is started with for the explorer. */
export interface ExplorerOptions {
  readonly explorer?: Partial<ExplorerSettings> | undefined;
  /** Where the data comes from; default: a store in memory. */
  readonly source?: ExplorerSource | undefined;
}

/** The same with what is not given. */
export function explorerOptions({ explorer, source }: ExplorerOptions): {
  readonly settings: ExplorerSettings;
  readonly source: ExplorerSource;
} {
  return {
    settings: { ...defaultExplorerSettings, ...explorer },
    source: source ?? { kind: "memory", name: "" },
  };
}
