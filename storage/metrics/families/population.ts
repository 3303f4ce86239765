import type { Database } from "../../engine/database.ts";
import { cachedFor } from "../gauge.ts";
import type { Registry } from "../registry.ts";

/** Nodes by state, and the resources of all their catalogs. */
interface Counts {
  readonly active: number;
  readonly inactive: number;
  readonly resources: number;
}

/** Maximum age of a cached value in ms. Counting distinct resources reads every catalog; the rest is cheap. */
const KEPT = { counts: 1000, distinct: 60_000 };

/** The value of a fraction of nothing: PuppetDB's text, which its clients know (`reference/metrics.md §5.3`). */
export class DivideByZero extends Error {
  constructor() {
    super("Divide by zero");
    this.name = "DivideByZero";
  }
}

/** Makes the metrics of the stored data (`reference/metrics.md §5.3`). */
export function populationMetrics(registry: Registry, database: Database): void {
  const counts = cachedFor(KEPT.counts, registry.ticks, async () => readCounts(database));
  const distinct = cachedFor(KEPT.distinct, registry.ticks, async () => readDistinct(database));
  const gauges: Readonly<Record<string, () => Promise<number | string>>> = {
    "num-nodes": async () => (await counts()).active,
    "num-active-nodes": async () => (await counts()).active,
    "num-inactive-nodes": async () => (await counts()).inactive,
    "num-resources": async () => (await counts()).resources,
    "avg-resources-per-node": async () => {
      const { resources, active, inactive } = await counts();
      return ratio(resources, active + inactive);
    },
    "pct-resource-dupes": async () => {
      const { resources, different } = await distinct();
      return resources === 0 ? 0 : ratio(resources - different, resources);
    },
  };
  for (const [name, read] of Object.entries(gauges)) registry.gauge("population", name, read);
}

/** An integer if possible, else a fraction in its lowest terms, as text. */
export function ratio(a: number, b: number): number | string {
  if (b === 0) throw new DivideByZero();
  const common = commonDivisor(a, b);
  return b === common ? a / b : `${a / common}/${b / common}`;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

async function readCounts(database: Database): Promise<Counts> {
  const [row] = await database.rows<Record<"active" | "inactive" | "resources", bigint>>(
    `SELECT count(*) FILTER (deactivated IS NULL AND expired IS NULL) AS active,
            count(*) FILTER (deactivated IS NOT NULL OR expired IS NOT NULL) AS inactive,
            (SELECT count(*) FROM catalog_resources) AS resources
     FROM nodes`,
  );
  return {
    active: Number(row?.active ?? 0),
    inactive: Number(row?.inactive ?? 0),
    resources: Number(row?.resources ?? 0),
  };
}

async function readDistinct(database: Database): Promise<{ resources: number; different: number }> {
  const [row] = await database.rows<Record<"resources" | "different", bigint>>(
    `SELECT coalesce(sum(times), 0)::BIGINT AS resources, count(DISTINCT r.hash) AS different
     FROM (SELECT resource_id, count(*) AS times FROM catalog_resources GROUP BY resource_id) AS used
     JOIN resources AS r ON r.id = used.resource_id`,
  );
  return { resources: Number(row?.resources ?? 0), different: Number(row?.different ?? 0) };
}
