import { largeFleet } from "../fleet/large-fleet.ts";
import { benchQueries } from "../queries.ts";
import { targetOf } from "../query-request.ts";

/** Selective queries are about one node or a few; whole-fleet queries read something of every node. */
export type QueryKind = "selective" | "whole-fleet";

/** A request of a dashboard. */
export interface DashboardQuery {
  readonly kind: QueryKind;
  readonly name: string;
  /** path and parameters */
  readonly target: string;
}

const root = "/pdb/query/v4";

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** By name; about one node, except the page. */
const selective: readonly (readonly [name: string, target: (certname: string) => string])[] = [
  ["node", (certname) => `${root}/nodes/${certname}`],
  ["facts of a node", (certname) => `${root}/nodes/${certname}/facts`],
  ["resources of a node", (certname) => `${root}/nodes/${certname}/resources`],
  [
    "reports of a node",
    (certname) =>
      `${root}/reports?query=${json(["extract", ["hash", "status", "end_time"], ["=", "certname", certname]])}` +
      `&order_by=${json([{ field: "end_time", order: "desc" }])}&limit=20`,
  ],
  ["catalog of a node", (certname) => `${root}/catalogs/${certname}`],
  ["fact of a node", (certname) => `${root}/nodes/${certname}/facts/kernelrelease`],
  [
    "page of failed nodes",
    () =>
      `${root}/nodes?query=${json(["=", "latest_report_status", "failed"])}` +
      `&order_by=${json([{ field: "certname", order: "asc" }])}&limit=50`,
  ],
];

/** Those of the benchmark of single queries that read something of every node. */
const wholeFleet: readonly string[] = [
  "nodes-by-status",
  "fact-values",
  "fact",
  "inventory",
  "resources-by-parameter",
  "resource-types",
  "event-counts",
  "latest-reports",
  "nodes-page",
];

const wholeFleetQueries: readonly DashboardQuery[] = wholeFleet.map((wanted) => {
  const query = benchQueries.find(({ name }) => name === wanted);
  if (query === undefined) throw new Error(`there is no query ${wanted}`);
  return { kind: "whole-fleet", name: wanted, target: targetOf(query) };
});

/** The distance between the nodes of successive queries: a prime, so that they reach every node. */
const STRIDE = 7919;

/** The n-th query of the dashboards, from 0: selective and whole-fleet ones by turns, each of them by turns, about other nodes. */
export function dashboardQuery(number: number, nodes: number): DashboardQuery {
  const turn = Math.floor(number / 2);
  if (number % 2 === 1) return at(wholeFleetQueries, turn);
  const [name, target] = at(selective, turn);
  return { kind: "selective", name, target: target(largeFleet.certname((turn * STRIDE) % nodes)) };
}

function at<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length] as T;
}
