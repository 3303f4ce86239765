import type { Retention } from "#storage/lifecycle/retention.ts";
import type { Values } from "./table.ts";

/** Puts the settings about keeping together. `gc-interval` at 0 switches every task off (`reference/lifecycle.md §5`). */
export function readRetention({ database, census }: Pick<Values, "database" | "census">): Retention {
  const often = (interval: number): number => (database["gc-interval"] === 0 ? 0 : interval);
  // The state of a node that is copied is that of the server that it is copied from.
  const unlessFollowed = (interval: number): number => (census.follow === undefined ? often(interval) : 0);
  return {
    nodeTtl: database["node-ttl"],
    nodePurgeTtl: database["node-purge-ttl"],
    reportTtl: database["report-ttl"],
    resourceEventsTtl: database["resource-events-ttl"],
    historyTtl: census["history-ttl"],
    nodePurgeBatchLimit: database["node-purge-gc-batch-limit"],
    gcIntervals: {
      expire_nodes: unlessFollowed(database["gc-interval-expire-nodes"]),
      purge_nodes: unlessFollowed(database["gc-interval-purge-nodes"]),
      purge_reports: often(database["gc-interval-purge-reports"]),
      gc_packages: often(database["gc-interval-packages"]),
      gc_catalogs: often(database["gc-interval-catalogs"]),
      gc_fact_paths: often(database["gc-interval-fact-paths"]),
    },
  };
}
