import type { OriginStatus } from "../../origins/status.ts";
import type { Clock } from "../../time.ts";
import type { Registry } from "../registry.ts";

/** What is measured of a server that is followed; undefined: it is not known yet. */
const figures: Readonly<Record<string, (status: OriginStatus, clock: Clock) => number | undefined>> = {
  "behind-seconds": ({ lastLook }, clock) =>
    lastLook === undefined ? undefined : Number(clock.now() - lastLook) / 1e6,
  nodes: ({ nodes }) => nodes,
  "ahead-nodes": ({ ahead }) => ahead,
  "shared-nodes": ({ shared }) => shared,
  "missing-reports": ({ missingReports }) => missingReports,
  "queue-depth": ({ queueDepth }) => queueDepth,
  "looks-total": ({ counts }) => counts.looks,
  "requests-total": ({ counts }) => counts.requests,
  "request-seconds-total": ({ counts }) => counts.requestMs / 1000,
  "bytes-total": ({ counts }) => counts.bytes,
  "failures-total": ({ counts }) => counts.failures,
  "documents-total": ({ counts }) => [...counts.documents.values()].reduce((sum, count) => sum + count, 0),
};

/** Measures how servers are followed, each under `origin.NAME`. */
export function originMetrics(registry: Registry, clock: Clock, statuses: readonly OriginStatus[]): void {
  for (const status of statuses) {
    for (const [item, read] of Object.entries(figures)) {
      registry.gauge("mq", `origin.${status.name}.${item}`, () => read(status, clock) ?? "");
    }
  }
}
