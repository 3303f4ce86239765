import { performance } from "node:perf_hooks";
import type { Bench, Server } from "../bench.ts";
import { ask } from "../http.ts";
import { type PageRequest, requestsOfPages } from "../pages/page-requests.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { WireConnection } from "../wire.ts";

/** Requests that a browser has on the way to one server at a time. */
const CONNECTIONS = 6;

const WARM_UPS = 3;
const RUNS = 20;

/** Longer than this nobody should wait for the data of a page, ms. */
const PROMPT = 100;

/** Addresses of the pages by name; `given` fills in what a population has. */
const pages: Readonly<Record<string, (given: Given) => string>> = {
  overview: () => "/explorer/",
  issues: () => "/explorer/issues",
  nodes: () => "/explorer/nodes",
  "nodes, filtered": () => "/explorer/nodes?f=state%3D%22failed%22",
  node: ({ certname }) => `/explorer/nodes/${certname}`,
  "node, facts": ({ certname }) => `/explorer/nodes/${certname}/facts`,
  "node, catalog": ({ certname }) => `/explorer/nodes/${certname}/catalog`,
  "node, reports": ({ certname }) => `/explorer/nodes/${certname}/reports`,
  reports: () => "/explorer/reports",
  report: ({ report }) => `/explorer/reports/${report}`,
  facts: () => "/explorer/facts",
  fact: () => "/explorer/fact?path=os.release.full",
  resources: () => "/explorer/resources",
  resource: () => "/explorer/resource?type=Class&title=Trust%3A%3AConfig",
  classes: () => "/explorer/classes",
  wall: () => "/explorer/wall",
  status: () => "/explorer/status",
};

interface Given {
  readonly certname: string;
  /** Hash of a report that failed. */
  readonly report: string;
}

/** A scenario for each page of the explorer. The first of them finds out what each page requests. */
export function pageScenarios(): Scenario[] {
  let recorded: ReturnType<typeof record> | undefined;
  return Object.keys(pages).map((page) => ({
    name: `pages/${page}`,
    shows: "the data of a page of the explorer, all its requests together, just after something was stored",
    metrics: {
      median: { unit: "milliseconds" },
      "95th percentile": { unit: "milliseconds", target: { atMost: PROMPT } },
      "nothing stored since": { unit: "milliseconds" },
    },
    measure: async (bench) => {
      const server = await bench.server();
      const requests = (await (recorded ??= record(bench, server)))?.get(page);
      if (requests instanceof Error) throw requests;
      return requests === undefined ? {} : measurePage(bench, server, page, requests);
    },
  }));
}

async function record(bench: Bench, { value: { url } }: Server): ReturnType<typeof requestsOfPages> {
  bench.progress("opening the pages of the explorer");
  const [report] = await rows(url, 'reports[certname, hash]{ status = "failed" and latest_report? = true limit 1 }');
  if (report === undefined) throw new Error("the population has no report that failed");
  const { certname = "", hash = "" } = report;
  const given = { certname, report: hash };
  const addresses = Object.fromEntries(Object.entries(pages).map(([page, address]) => [page, address(given)]));
  const requests = await requestsOfPages(url, addresses);
  if (requests === undefined) bench.progress("the pages are not measured: there is no Chromium (CENSUS_CHROMIUM)");
  return requests;
}

async function rows(url: string, pql: string): Promise<Record<string, string>[]> {
  return JSON.parse(await ask(`${url}/pdb/query/v4?query=${encodeURIComponent(pql)}`)) as Record<string, string>[];
}

async function measurePage(
  bench: Bench,
  { value: { url } }: Server,
  page: string,
  requests: readonly PageRequest[],
): Promise<Samples> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => WireConnection.open(url)));
  const [changed, unchanged]: [number[], number[]] = [[], []];
  let received = 0;
  try {
    for (let run = -WARM_UPS; run < RUNS; run++) {
      await change(bench, connections[0], run);
      for (const times of [changed, unchanged]) {
        const began = performance.now();
        received = await sendAll(connections, requests);
        if (run >= 0) times.push(performance.now() - began);
      }
    }
  } finally {
    for (const connection of connections) connection.close();
  }
  bench.progress(`${page}: ${requests.length} requests, ${received} bytes`);
  const { p95 } = statisticsOf(changed);
  return { median: changed, "95th percentile": [p95], "nothing stored since": unchanged };
}

/** Stores something, so that no answer is the same as before, and waits until it is stored. */
async function change(bench: Bench, connection: WireConnection | undefined, run: number): Promise<void> {
  const time = new Date(bench.now + run * 1000).toISOString();
  const certname = "changing.example.com";
  const values = { kernel: "Linux", run: `${time} ${process.pid}` };
  const payload = { certname, environment: "production", producer: null, producer_timestamp: time, values };
  const parameters = new URLSearchParams({ certname, command: "replace_facts", version: "5" });
  parameters.set("secondsToWaitForCompletion", "60");
  const answer = await connection?.post(`/pdb/cmd/v1?${parameters.toString()}`, Buffer.from(JSON.stringify(payload)));
  if (answer?.status !== 200) throw new Error(`a command was answered ${answer?.status}`);
}

/** @returns bytes of the answers' bodies */
async function sendAll(connections: readonly WireConnection[], requests: readonly PageRequest[]): Promise<number> {
  const waiting = requests[Symbol.iterator]();
  let received = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (const { target, body } of waiting) {
        const answer =
          body === undefined
            ? await connection.get(target, COMPRESSED)
            : await connection.post(target, body, COMPRESSED);
        if (answer.status !== 200) {
          throw new Error(`${decodeURIComponent(target)}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
        }
        received += answer.body.length;
      }
    }),
  );
  return received;
}

/** Browsers accept it. */
const COMPRESSED = "Accept-Encoding: gzip\r\n";
