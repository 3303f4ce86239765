import { performance } from "node:perf_hooks";
import type { Bench } from "../bench.ts";
import type { PeerQuery } from "../peer/queries.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { ANEW, getOk, WireConnection } from "../wire.ts";

/** Requests of each query with which both are made as fast as they get, once and then before each block. */
const FIRST_WARM_UPS = 100;
const WARM_UPS = 3;
const RUNS = 20;

/** An answer of one of these queries takes at most this long with 1,000 nodes, ms: what people feel. */
const PROMPT = 50;

/** The servers that are queried: the two, and Census without an order to answer anew. */
type ServerName = "peer" | "Census" | "again";

/** Their addresses. */
type Servers = readonly (readonly [ServerName, string])[];

/** A scenario for each query, and one that takes them together. */
export function peerQueryScenarios(queries: readonly PeerQuery[]): Scenario[] {
  const ratios: number[] = [];
  let begun: Promise<Servers> | undefined;
  return [
    ...queries.map(({ id, target }): Scenario => ({
      name: `peer-queries/${id}`,
      shows: decodeURIComponent(target.replace("/pdb/query/v4", "")),
      needsPeer: true,
      metrics: {
        peer: { unit: "milliseconds" },
        Census: { unit: "milliseconds", target: { atMost: PROMPT } },
        ratio: { unit: "ratio" },
        again: { unit: "milliseconds" },
      },
      measure: async (bench) => {
        const servers = await (begun ??= begin(bench, queries));
        const samples = await compareAnswers(bench, servers, { id, target });
        const { peer, Census, again } = samples;
        const ratio = statisticsOf(peer).median / statisticsOf(Census).median;
        ratios.push(ratio);
        return { peer, Census, ratio: [ratio], again };
      },
    })),
    {
      name: "peer-queries, all",
      shows: "the ratios of the queries above",
      needsPeer: true,
      metrics: { ratio: { unit: "ratio" } },
      measure: async (): Promise<Samples> => Promise.resolve({ ratio: ratios }),
    },
  ];
}

/**
 * Queries them in blocks, several by turns: other work of the machine affects all alike, and the clean-up after a response
 * does not count for another server.
 * @throws Error when the answers have not the same number of rows
 */
async function compareAnswers(
  bench: Bench,
  servers: Servers,
  { id, target }: PeerQuery,
): Promise<Record<ServerName, number[]>> {
  const times: Record<ServerName, number[]> = { peer: [], Census: [], again: [] };
  const rows = new Set<number>();
  for (let block = 0; block < bench.runs; block++) {
    for (const [name, url] of servers) {
      // Servers close idle connections, and one rival waits for the other.
      const connection = await WireConnection.open(url);
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const answer = await timed(connection, target, name === "again" ? "" : ANEW);
        rows.add(answer.rows);
        if (run >= 0) times[name].push(answer.ms);
      }
      connection.close();
    }
  }
  if (rows.size > 1) throw new Error(`answers of ${[...rows].join(" and ")} rows`);
  bench.progress(`${id}: ${[...rows].join()} rows`);
  return times;
}

/** All compile what they do often, and do it slowly before. */
async function begin(bench: Bench, queries: readonly PeerQuery[]): Promise<Servers> {
  const { peer, census } = await bench.rivals.withPopulation();
  const servers: Servers = [
    ["peer", peer.url],
    ["Census", census.url],
    ["again", census.url],
  ];
  for (const [name, url] of servers) {
    bench.progress(`warming up ${name}`);
    const connection = await WireConnection.open(url);
    for (const { target } of queries) {
      for (let run = 0; run < FIRST_WARM_UPS; run++) await timed(connection, target);
    }
    connection.close();
  }
  return servers;
}

async function timed(
  connection: WireConnection,
  target: string,
  headers = ANEW,
): Promise<{ ms: number; rows: number }> {
  const began = performance.now();
  const body = await getOk(connection, target, headers);
  const ms = performance.now() - began;
  const parsed: unknown = JSON.parse(body.toString());
  return { ms, rows: Array.isArray(parsed) ? parsed.length : 1 };
}
