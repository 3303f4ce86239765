import type { LoadedSettings } from "../settings/load.ts";
import type { Store } from "#storage/store.ts";
import type { ArchiveServices } from "../routes/archive.ts";
import type { QueryServices } from "../routes/query.ts";
import type { Progress } from "./api/shapes.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { ExplorerSettings } from "./settings.ts";

/** What the explorer's endpoints work with. */
export interface ExplorerServices extends QueryServices, ArchiveServices {
  readonly store: Store;
  readonly explorer: ExplorerContext;
}

/** What belongs to the explorer alone. */
export interface ExplorerContext {
  readonly settings: ExplorerSettings;
  readonly source: ExplorerSource;
  readonly changes: ChangeFeed;
  /** How much of the store is there; undefined: all. */
  readonly progress: (() => Progress) | undefined;
  /** The settings that the service was started with; undefined: there are none. */
  readonly effective: EffectiveSettings | undefined;
  /** An archive that the served one is compared with. */
  readonly against: ComparedArchive | undefined;
}

/** Every setting with its value and its source. Values of ignored ones are not known: they may be passwords. */
export type EffectiveSettings = Pick<LoadedSettings, "entries" | "ignored">;

/** An older archive, open beside the served one. */
export interface ComparedArchive {
  readonly store: Store;
  /** Its file name. */
  readonly name: string;
}

/** Where the data comes from. */
export interface ExplorerSource {
  /** `data`: a data directory. */
  readonly kind: "archive" | "data" | "fixture" | "memory";
  /** The name of the archive or directory, never its path; empty where there is none. */
  readonly name: string;
}
