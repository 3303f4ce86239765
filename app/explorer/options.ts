import type { ComparedArchive, EffectiveSettings, ExplorerSource } from "./services.ts";
import { defaultExplorerSettings, type ExplorerSettings } from "./settings.ts";

/** What a service is started with for the explorer. */
export interface ExplorerOptions {
  readonly explorer?: Partial<ExplorerSettings> | undefined;
  /** Where the data comes from; default: a store in memory. */
  readonly source?: ExplorerSource | undefined;
  /** The settings that the service was started with. */
  readonly effective?: EffectiveSettings | undefined;
  /** An archive to compare with. */
  readonly against?: ComparedArchive | undefined;
}

/** The same with what is not given. */
export function explorerOptions({ explorer, source, effective, against }: ExplorerOptions): {
  readonly settings: ExplorerSettings;
  readonly source: ExplorerSource;
  readonly effective: EffectiveSettings | undefined;
  readonly against: ComparedArchive | undefined;
} {
  return {
    settings: { ...defaultExplorerSettings, ...explorer },
    source: source ?? { kind: "memory", name: "" },
    effective,
    against,
  };
}
