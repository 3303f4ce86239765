import type { OriginState, OriginStatus } from "#storage/origins/status.ts";
import { count, loose, moment, number, object, orNull, type Shaped, text } from "#storage/shape.ts";
import { type Clock, formatTimestamp } from "#storage/time.ts";

/** How an origin is followed, as JSON. */
export const originShape = object({
  name: text(),
  url: text(),
  version: orNull(text()),
  state: loose<OriginState>({ type: "string" }),
  behind_seconds: orNull(
    number("Since the look began after which nothing was missing here; null: nothing is complete yet"),
  ),
  last_look: orNull(moment()),
  nodes: count(),
  missing_reports: count(),
  ahead: count(),
  shared: count(),
  queue_depth: orNull(count()),
  progress: orNull(object({ done: count(), total: count() })),
  problem: orNull(text()),
});

export type ShownOrigin = Shaped<typeof originShape>;

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
