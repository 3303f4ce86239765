/**
 * What Puppetboard 7 requests of PuppetDB for its pages, with its default settings and in its order: it waits for each response
 * before it sends the next request. Its pages have the names of the explorer's pages that show the same.
 */

/** What its pages are about. */
export interface BoardSubject {
  /** The time that its chart ends with. */
  readonly now: Date;
  readonly certname: string;
  /** Hash of a report that failed. */
  readonly report: string;
  /** Hashes of the latest reports that failed, at most some dozens. */
  readonly failed: readonly string[];
}

const ENVIRONMENT = "production";
const DAY = 86_400_000;
/** Days of the chart of runs. */
const CHART_DAYS = 8;
/** Reports in a table, and in one of a node. */
const [MANY, FEW] = [100, 10];

type Query = readonly unknown[];

/** Paths and parameters by the name of the explorer's page. */
export function boardRequests(subject: BoardSubject): Record<string, string[]> {
  const { now, certname, report, failed } = subject;
  const ofNode: Query = ["=", "certname", certname];
  const every = [target("environments")];
  const nodes = [
    target("nodes", { query: ["and", inEnvironment("catalog_environment")] }),
    target("event-counts", { query: ["=", "latest_report?", true], summarize_by: "certname" }),
  ];
  const count = ["extract", [["function", "count"]]];
  return {
    overview: [
      ...every,
      target("nodes", { query: [...count, ["and", inEnvironment("catalog_environment")]] }),
      target("resources", { query: [...count, inEnvironment("environment")] }),
      ...nodes,
      ...chart(now, inEnvironment("environment")),
    ],
    nodes: [...every, ...nodes],
    "nodes, filtered": [
      ...every,
      target("nodes", {
        query: ["and", inEnvironment("catalog_environment"), ["=", "latest_report_status", "failed"]],
      }),
      target("event-counts", { query: ["=", "latest_report?", true], summarize_by: "certname" }),
    ],
    node: [
      ...every,
      target(`nodes/${certname}`),
      target("facts", { query: ofNode }),
      reports(["and", inEnvironment("environment"), ofNode], FEW),
      ...chart(now, ofNode),
    ],
    reports: [...every, reports(["and", inEnvironment("environment")], MANY)],
    report: [
      ...every,
      target("reports", {
        query: ["and", ofNode, ["or", ["=", "hash", report], ["=", "configuration_version", report]]],
      }),
      target("events", { query: ["=", "report", report] }),
    ],
    issues: [
      ...every,
      target("nodes", {
        query: ["and", inEnvironment("catalog_environment"), ["=", "latest_report_status", "failed"]],
      }),
      ...failed.map((hash) => target("reports", { query: ["=", "hash", hash] })),
    ],
    facts: [...every, target("fact-names")],
    fact: [...every, target("facts/os", { query: ["and", inEnvironment("environment")] })],
  };
}

function inEnvironment(field: string): Query {
  return ["=", field, ENVIRONMENT];
}

/** Runs by status, a request for each day. */
function chart(now: Date, condition: Query): string[] {
  return Array.from({ length: CHART_DAYS }, (_, day) => {
    const midnight = Math.floor(now.getTime() / DAY) * DAY - (CHART_DAYS - 1 - day) * DAY;
    const [from, to] = [midnight, midnight + DAY].map((time) => new Date(time).toISOString());
    const within: Query = ["and", [">=", "producer_timestamp", from], ["<", "producer_timestamp", to], condition];
    return target("reports", {
      query: ["extract", [["function", "count"], "status"], within, ["group_by", "status"]],
    });
  });
}

function reports(query: Query, limit: number): string {
  return target("reports", {
    query,
    order_by: [{ field: "end_time", order: "desc" }],
    limit: String(limit),
    offset: "0",
    include_total: "true",
  });
}

function target(path: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  return `/pdb/query/v4/${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}
