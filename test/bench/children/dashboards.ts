import { performance } from "node:perf_hooks";
import { type DashboardQuery, dashboardQuery, type QueryKind } from "../fleet-hour/dashboard-queries.ts";
import { Latencies, type LatencySummary } from "../fleet-hour/latencies.ts";
import { type LastingConnection, lastingConnections } from "../fleet-hour/lasting-connection.ts";
import { keepPace } from "../fleet-hour/pace.ts";
import {
  DASHBOARDS,
  durationOf,
  INTERVAL,
  intervalsOf,
  type Load,
  ownTime,
  QUERIES_PER_SECOND,
} from "../fleet-hour/plan.ts";
import { percentile } from "../statistics.ts";
import { runJob } from "./job.ts";

/** What came of the queries. Times are in ms, from when a query was due until the last byte of its response. */
export interface DashboardsOutput {
  readonly latencies: Readonly<Record<QueryKind, LatencySummary>>;
  /** of each query, by its name */
  readonly byName: Readonly<Record<string, Omit<LatencySummary, "byInterval">>>;
  readonly failed: number;
  /** the reason of the first that failed */
  readonly failure: string | undefined;
  /** how late this process sent queries at most, 99 of 100 times */
  readonly late: number;
  /** seconds for which this process kept a processor busy */
  readonly processor: number;
}

/**
 * Sends the queries of dashboards, each when it is due. Unlike in other measurements they permit an earlier answer that is
 * still right, because dashboards send no `Cache-Control: no-cache`.
 */
runJob(async (load: Load): Promise<DashboardsOutput> => {
  const [begin, every] = [ownTime(load.begin), 1000 / QUERIES_PER_SECOND];
  const of = { selective: intervalLatencies(load), "whole-fleet": intervalLatencies(load) };
  const byName = new Map<string, Latencies>();
  let [failed, failure]: [number, string | undefined] = [0, undefined];

  const perform = async (connection: LastingConnection, query: DashboardQuery, due: number): Promise<void> => {
    const { status, body } = await connection.request((wire) => wire.get(query.target));
    const ms = performance.now() - due;
    if (status === 200) {
      of[query.kind].add(due - begin, ms);
      const named = byName.get(query.name) ?? intervalLatencies(load);
      byName.set(query.name, named);
      named.add(due - begin, ms);
    } else {
      failed++;
      failure ??= `${query.name}: ${status} ${body.toString().slice(0, 300)}`;
    }
  };
  const late = await keepPace(
    lastingConnections(load.url, DASHBOARDS),
    { begin, every, count: Math.floor(durationOf(load) / every) },
    { prepare: (number) => dashboardQuery(number, load.nodes), perform },
  );
  const { user, system } = process.cpuUsage();
  return {
    latencies: { selective: of.selective.summary(), "whole-fleet": of["whole-fleet"].summary() },
    byName: Object.fromEntries(
      [...byName].map(([name, latencies]) => {
        const { count, median, p99, slowest } = latencies.summary();
        return [name, { count, median, p99, slowest }];
      }),
    ),
    failed,
    failure,
    late: percentile(late, 0.99),
    processor: (user + system) / 1e6,
  };
});

function intervalLatencies(load: Load): Latencies {
  return new Latencies(INTERVAL, intervalsOf(load));
}
