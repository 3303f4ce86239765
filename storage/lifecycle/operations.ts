import { expireNodes } from "./expire-nodes.ts";
import { collectCatalogs, collectFactPaths, collectOthers, collectPackages } from "./garbage.ts";
import type { Operation } from "./operation.ts";
import { purgeChanges } from "./purge-changes.ts";
import { purgeNodes } from "./purge-nodes.ts";
import { purgeEvents, purgeReports } from "./purge-reports.ts";
import type { Work } from "./work.ts";

interface Maintenance {
  /** its name in the metric `cleaning` */
  readonly metricName: string;
  /** @returns the number of removed rows or nodes */
  readonly run: (work: Work) => Promise<number>;
  /** skipped when this operation is requested too, which includes it */
  readonly within?: Operation;
  /** it frees space in the file */
  readonly frees: boolean;
}

/** All operations of maintenance, in the order in which they run (`reference/lifecycle.md §6, §7.4`). */
export const operations: Readonly<Record<Operation, Maintenance>> = {
  expire_nodes: { metricName: "expiring-nodes", run: expireNodes, frees: false },
  purge_nodes: { metricName: "purging-nodes", run: purgeNodes, frees: true },
  purge_reports: { metricName: "purging-reports", run: purgeReportsAndHistory, frees: true },
  gc_packages: { metricName: "package-gc", run: collectPackages, frees: true },
  purge_resource_events: {
    metricName: "purging-resource-events",
    run: purgeEvents,
    within: "purge_reports",
    frees: true,
  },
  other: { metricName: "other", run: collectOthers, frees: true },
  gc_catalogs: { metricName: "catalog-gc", run: collectCatalogs, frees: true },
  gc_fact_paths: { metricName: "fact-paths-gc", run: collectFactPaths, frees: true },
};

/** The running operations for the metric `cleaning`: words in the order of the operations' names. */
export function cleaningText(requested: ReadonlySet<Operation>): string {
  return [...requested]
    .sort()
    .map((operation) => operations[operation].metricName)
    .join(" ");
}

/** Changes have no operation of their own, because clients know the names of the operations. */
async function purgeReportsAndHistory(work: Work): Promise<number> {
  const purged = await purgeReports(work);
  work.signal.throwIfAborted();
  await purgeChanges(work);
  return purged;
}
