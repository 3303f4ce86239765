import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";

/** What a site may set about the explorer (`[census]`). */
export interface ExplorerSettings {
  /** Whether there is anything below `/explorer`. */
  readonly enabled: boolean;
  /** Milliseconds without a report after which a node counts as silent. */
  readonly silentAfterMs: number;
  /** Whether the workbench runs SQL. */
  readonly sql: boolean;
  /** Path of the file with the site's shared queries, views and links. */
  readonly site?: string | undefined;
}

export const defaultExplorerSettings: ExplorerSettings = { enabled: true, silentAfterMs: SILENT_AFTER_MS, sql: false };
