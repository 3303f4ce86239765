import { expireNodes } from "./expire-nodes.ts";
import { collectCatalogs, collectFactPaths, collectOthers, collectPackages } from "./garbage.ts";
import type { Operation } from "./operation.ts";
import { purgeNodes } from "./purge-nodes.ts";
import { purgeEvents, purgeReports } from "./purge-reports.ts";
import type { Work } from "./work.ts";

interface Maintenance {
  /** what the metric `cleaning` calls it */
  readonly word: string;
  /** @returns how much it did */
  readonly run: (work: Work) => Promise<number>;
  /** left out when this one is asked for as well, which does its work */
  readonly within?: Operation;
  /** it leaves room in the file */
  readonly frees: boolean;
}

/** Everything that maintenance can do, in the order it is done in (`reference/lifecycle.md §6, §7.4`). */
export const operations: Readonly<Record<Operation, Maintenance>> = {
  expire_nodes: { word: "expiring-nodes", run: expireNodes, frees: false },
  purge_nodes: { word: "purging-nodes", run: purgeNodes, frees: true },
  purge_reports: { word: "purging-reports", run: purgeReports, frees: true },
  gc_packages: { word: "package-gc", run: collectPackages, frees: true },
  purge_resource_events: {
    word: "purging-resource-events",
    run: purgeEvents,
    within: "purge_reports",
    frees: true,
  },
  other: { word: "other", run: collectOthers, frees: true },
  gc_catalogs: { word: "catalog-gc", run: collectCatalogs, frees: true },
  gc_fact_paths: { word: "fact-paths-gc", run: collectFactPaths, frees: true },
};

/** What is going on as the metric `cleaning` tells it: words in the order of the operations' names. */
export function cleaningText(asked: ReadonlySet<Operation>): string {
  return [...asked]
    .sort()
    .map((operation) => operations[operation].word)
    .join(" ");
}
