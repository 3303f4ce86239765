import { SILENT_AFTER_MS, type SilentAfter } from "#storage/states/node-state.ts";

/** What a site may set about the explorer (`[census]`). */
export interface ExplorerSettings {
  /** Whether there is anything below `/explorer`. */
  readonly enabled: boolean;
  readonly silentAfter: SilentAfter;
  /** Whether the workbench runs SQL. */
  readonly sql: boolean;
  /** Path of the file with the site's shared queries, views and links. */
  readonly site?: string | undefined;
}

export const defaultExplorerSettings: ExplorerSettings = { enabled: true, silentAfter: SILENT_AFTER_MS, sql: false };
