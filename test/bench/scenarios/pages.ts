import { performance } from "node:perf_hooks";
import type { Bench, Server } from "../bench.ts";
import { fetchText } from "../http.ts";
import type { JsonObject } from "#storage/json.ts";
import { type PageName, pageNames, subjectOf, subjectPages } from "../pages/addresses.ts";
import { type PageRequest, requestsOfPages } from "../pages/page-requests.ts";
import { boardRequests } from "../pages/puppetboard.ts";
import { threadMilliseconds } from "../processor-time.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { WireConnection } from "../wire.ts";

/** Requests that a browser has on the way to one server at a time. */
export const CONNECTIONS = 6;

const WARM_UPS = 3;
const RUNS = 20;

/** The requests of Puppetboard take longer. */
const BOARD_RUNS = 5;

/** Failed reports that Puppetboard's page of failures requests, at most: its table has as many rows as there are. */
const BOARD_FAILURES = 50;

/** A page's data are there within this time, ms: what people feel. */
const PROMPT = 300;

/** What is sent for a page. */
interface Recorded {
  /** By the explorer, or why the page does not show its data; undefined where there is no browser. */
  readonly requests: PageRequest[] | Error | undefined;
  /** By Puppetboard, for its page of the same; undefined where it has none. */
  readonly board: PageRequest[] | undefined;
}

/** A scenario for each page of the explorer. The first of them finds out what each page requests. */
export function pageScenarios(): Scenario[] {
  let recorded: Promise<(page: PageName) => Recorded> | undefined;
  return pageNames.map((page) => ({
    name: `pages/${page}`,
    shows: "processor time of the server for all requests of a page of the explorer, just after commands of each kind",
    metrics: {
      requests: { unit: "requests" },
      median: { unit: "milliseconds" },
      "95th percentile": { unit: "milliseconds" },
      "nothing stored since": { unit: "milliseconds" },
      elapsed: { unit: "milliseconds", target: { atMost: PROMPT } },
      "Puppetboard, requests": { unit: "requests" },
      "Puppetboard, median": { unit: "milliseconds" },
    },
    measure: async (bench) => {
      const server = await bench.server();
      const { requests, board } = (await (recorded ??= record(bench, server)))(page);
      if (requests instanceof Error) throw requests;
      if (requests === undefined) return {};
      const samples = await measurePage(bench, server, { requests, board });
      const slowest = page === "search" ? samples["elapsed"] : samples["median"];
      return slowest === undefined ? samples : { ...samples, "95th percentile": [statisticsOf(slowest).p95] };
    },
  }));
}

async function record(bench: Bench, { value: { url } }: Server): Promise<(page: PageName) => Recorded> {
  bench.progress("opening the pages of the explorer");
  const failed = await rowsOf(url, 'reports[hash]{ status = "failed" and latest_report? = true }');
  const subject = await subjectOf(url);
  const requests = await requestsOfPages(url, subjectPages(subject));
  if (requests === undefined) bench.progress("the pages are not measured: there is no Chromium (CENSUS_CHROMIUM)");
  const hashes = failed.slice(0, BOARD_FAILURES).map((row) => row["hash"] ?? "");
  const board = boardRequests({ now: new Date(bench.now), ...subject, failed: hashes });
  return (page) => ({
    requests: requests?.get(page),
    board: board[page]?.map((target) => ({ target, body: undefined })),
  });
}

async function rowsOf(url: string, pql: string): Promise<Record<string, string>[]> {
  return JSON.parse(await fetchText(`${url}/pdb/query/v4?query=${encodeURIComponent(pql)}`)) as Record<
    string,
    string
  >[];
}

async function measurePage(
  bench: Bench,
  { pid, value: { url } }: Server,
  {
    requests,
    board,
  }: { readonly requests: readonly PageRequest[]; readonly board: readonly PageRequest[] | undefined },
): Promise<Samples> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => WireConnection.open(url)));
  const book = new SampleBook();
  const measured = async (metric: string, work: () => Promise<unknown>, run: number): Promise<void> => {
    const [before, began] = [threadMilliseconds(pid), performance.now()];
    await work();
    const [after, ended] = [threadMilliseconds(pid), performance.now()];
    if (run < 0) return;
    if (before !== undefined && after !== undefined) book.add(metric, after - before);
    if (metric === "median") book.add("elapsed", ended - began);
  };
  try {
    for (let run = -WARM_UPS; run < RUNS; run++) {
      await change(bench, connections[0]);
      await measured("median", () => sendAll(connections, requests), run);
      await measured("nothing stored since", () => sendAll(connections, requests), run);
    }
    if (board !== undefined) {
      for (let run = -1; run < BOARD_RUNS; run++) {
        await change(bench, connections[0]);
        // Puppetboard waits for each answer before it sends the next request.
        await measured("Puppetboard, median", () => sendAll(connections.slice(0, 1), board), run);
      }
    }
  } finally {
    for (const connection of connections) connection.close();
  }
  book.add("requests", requests.length);
  book.add("Puppetboard, requests", board?.length);
  return book.samples();
}

/** Moments of the population that commands have been sent for. */
let moments = 0;

/** Stores facts, a catalog and a report that differ from all before, so that no answer is the same. */
async function change(bench: Bench, connection: WireConnection | undefined): Promise<void> {
  const time = new Date(bench.now + ++moments * 1000).toISOString();
  const text = `${time} ${process.pid}`;
  for (const { command, version, payload } of commandsOf(time, text)) {
    const parameters = new URLSearchParams({ certname: CHANGING, command, version, secondsToWaitForCompletion: "60" });
    const body = Buffer.from(JSON.stringify(payload));
    const answer = await connection?.post(`/pdb/cmd/v1?${parameters.toString()}`, body);
    if (answer?.status !== 200) throw new Error(`a command was answered ${answer?.status}`);
  }
}

const CHANGING = "changing.example.com";

/** The commands of a run of an agent. @param text what differs from other runs */
function commandsOf(time: string, text: string): { command: string; version: string; payload: JsonObject }[] {
  const common = { certname: CHANGING, environment: "production", producer: null, producer_timestamp: time };
  const none = { transaction_uuid: null, catalog_uuid: null, code_id: null, job_id: null };
  const resource = { type: "Class", title: text, exported: false, tags: [], parameters: {}, file: null, line: null };
  const report = {
    ...common,
    ...none,
    puppet_version: "8.10.0",
    report_format: 12,
    configuration_version: text,
    start_time: time,
    end_time: time,
    corrective_change: false,
    cached_catalog_status: null,
    status: "unchanged",
    noop: false,
    noop_pending: false,
    type: "agent",
    resources: [],
    metrics: [],
    logs: [],
  };
  return [
    { command: "replace_facts", version: "5", payload: { ...common, values: { kernel: "Linux", run: text } } },
    {
      command: "replace_catalog",
      version: "9",
      payload: { ...common, ...none, version: text, resources: [resource], edges: [] },
    },
    { command: "store_report", version: "8", payload: report },
  ];
}

/** @returns bytes of the answers' bodies */
export async function sendAll(
  connections: readonly WireConnection[],
  requests: readonly PageRequest[],
): Promise<number> {
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
