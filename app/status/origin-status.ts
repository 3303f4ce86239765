import type { OriginStatus } from "#storage/origins/status.ts";
import { type Clock, formatTimestamp } from "#storage/time.ts";

/** How an origin is followed, as JSON. */
export interface ShownOrigin {
  readonly name: string;
  readonly url: string;
  readonly version: string | null;
  readonly state: string;
  /** Since the look began after which nothing was missing here; null: there was none. */
  readonly behind_seconds: number | null;
  readonly last_look: string | null;
  readonly nodes: number;
  readonly missing_reports: number;
  readonly ahead: number;
  readonly shared: number;
  readonly queue_depth: number | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly problem: string | null;
}

export function shownOrigin(status: OriginStatus, clock: Clock): ShownOrigin {
  const { name, url, version, state, lastLook, nodes, missingReports, ahead, shared, queueDepth, progress, problem } =
    status;
  return {
    name,
    url,
    version: version ?? null,
    state,
    behind_seconds: lastLook === undefined ? null : Number((clock.now() - lastLook) / 1000n) / 1000,
    last_look: lastLook === undefined ? null : formatTimestamp(lastLook),
    nodes,
    missing_reports: missingReports,
    ahead,
    shared,
    queue_depth: queueDepth ?? null,
    progress: progress ?? null,
    problem: problem ?? null,
  };
}
