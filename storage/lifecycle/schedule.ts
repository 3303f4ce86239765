import type { Operation } from "./operation.ts";
import type { CleanRequest } from "./request.ts";
import type { PeriodicOperation, Retention } from "./retention.ts";

/** A periodic run. */
export interface Job {
  readonly name: PeriodicOperation;
  /** milliseconds before the first run, and between the end of one and the next */
  readonly interval: number;
  readonly request: CleanRequest;
}

/** The operations of each periodic job under a retention; empty = no such job (`reference/lifecycle.md §5`). */
const jobs: Readonly<Record<PeriodicOperation, (retention: Retention) => readonly Operation[]>> = {
  expire_nodes: ({ nodeTtl }) => (nodeTtl > 0n ? ["expire_nodes"] : []),
  purge_nodes: ({ nodePurgeTtl }) => (nodePurgeTtl > 0n ? ["purge_nodes"] : []),
  purge_reports: sweepOfReports,
  gc_packages: () => ["gc_packages"],
  gc_catalogs: () => ["gc_catalogs"],
  gc_fact_paths: () => ["gc_fact_paths"],
};

/** A TTL of 0 also has a job, which drops all days before today. */
function sweepOfReports({ reportTtl, resourceEventsTtl }: Retention): readonly Operation[] {
  if (resourceEventsTtl === null || resourceEventsTtl === 0n) return ["purge_reports"];
  return reportTtl === 0n ? ["purge_resource_events"] : ["purge_reports", "purge_resource_events"];
}

/** The jobs of a store with this retention. */
export function jobsFor(retention: Retention): Job[] {
  const { gcIntervals, nodePurgeBatchLimit } = retention;
  const purgeLimit = nodePurgeBatchLimit === 0 ? null : nodePurgeBatchLimit;
  return (Object.keys(jobs) as PeriodicOperation[]).flatMap((job) => {
    const [operations, interval] = [new Set(jobs[job](retention)), gcIntervals[job]];
    return interval > 0 && operations.size > 0 ? [{ name: job, interval, request: { operations, purgeLimit } }] : [];
  });
}
