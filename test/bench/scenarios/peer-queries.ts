import { performance } from "node:perf_hooks";
import type { Bench } from "../bench.ts";
import type { PeerQuery } from "../peer/queries.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { getOk, WireConnection } from "../wire.ts";

/** Requests of each query with which both are made as fast as they get, once and then before each block. */
const FIRST_WARM_UPS = 100;
const WARM_UPS = 3;
const RUNS = 20;

/** A scenario for each query, and one that takes them together. */
export function peerQueryScenarios(queries: readonly PeerQuery[]): Scenario[] {
  const ratios: number[] = [];
  let warmedUp: Promise<void> | undefined;
  return [
    ...queries.map(({ id, target }): Scenario => ({
      name: `peer-queries/${id}`,
      shows: decodeURIComponent(target.replace("/pdb/query/v4", "")),
      needsPeer: true,
      metrics: {
        peer: { unit: "milliseconds" },
        Census: { unit: "milliseconds" },
        ratio: { unit: "ratio", target: { atLeast: 1 } },
      },
      measure: async (bench) => {
        await (warmedUp ??= warmUp(bench, queries));
        const samples = await compareAnswers(bench, { id, target });
        const { peer, Census } = samples;
        const ratio = statisticsOf(peer).median / statisticsOf(Census).median;
        ratios.push(ratio);
        return { peer, Census, ratio: [ratio] };
      },
    })),
    {
      name: "peer-queries, all",
      shows: "the ratios of the queries above",
      needsPeer: true,
      metrics: { ratio: { unit: "ratio", target: { atLeast: 5 } } },
      measure: async (): Promise<Samples> => Promise.resolve({ ratio: ratios }),
    },
  ];
}

/**
 * Asks both in blocks, several of them by turns: whatever else the machine does is shared fairly, and what an answer leaves
 * to be tidied up is not charged to the other.
 * @throws Error when the answers have not the same number of rows
 */
async function compareAnswers(bench: Bench, { id, target }: PeerQuery): Promise<{ peer: number[]; Census: number[] }> {
  const times = { peer: [] as number[], Census: [] as number[] };
  const rows = new Set<number>();
  for (let block = 0; block < bench.runs; block++) {
    for (const [name, url] of await urlsOf(bench)) {
      // Servers end connections that nobody uses, and one rival waits for the other.
      const connection = await WireConnection.open(url);
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const answer = await timed(connection, target);
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

async function urlsOf(bench: Bench): Promise<readonly (readonly ["peer" | "Census", string])[]> {
  const { peer, census } = await bench.rivals.withPopulation();
  return [
    ["peer", peer.url],
    ["Census", census.url],
  ];
}

/** Both compile what they do often, and do it slowly before. */
async function warmUp(bench: Bench, queries: readonly PeerQuery[]): Promise<void> {
  for (const [name, url] of await urlsOf(bench)) {
    bench.progress(`warming up ${name}`);
    const connection = await WireConnection.open(url);
    for (const { target } of queries) {
      for (let run = 0; run < FIRST_WARM_UPS; run++) await timed(connection, target);
    }
    connection.close();
  }
}

async function timed(connection: WireConnection, target: string): Promise<{ ms: number; rows: number }> {
  const asked = performance.now();
  const body = await getOk(connection, target);
  const ms = performance.now() - asked;
  const parsed: unknown = JSON.parse(body.toString());
  return { ms, rows: Array.isArray(parsed) ? parsed.length : 1 };
}
