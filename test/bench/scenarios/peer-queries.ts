import { performance } from "node:perf_hooks";
import type { Bench } from "../bench.ts";
import { ask } from "../http.ts";
import type { PeerQuery } from "../peer/queries.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";

const WARM_UPS = 3;
const RUNS = 20;

/** A scenario for each query, and one that takes them together. */
export function peerQueryScenarios(queries: readonly PeerQuery[]): Scenario[] {
  const ratios: number[] = [];
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
  const { peer, census } = await bench.rivals.withPopulation();
  const times = { peer: [] as number[], Census: [] as number[] };
  const rows = new Set<number>();
  for (let block = 0; block < bench.runs; block++) {
    for (const [name, { url }] of [
      ["peer", peer],
      ["Census", census],
    ] as const) {
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const answer = await timed(url + target);
        rows.add(answer.rows);
        if (run >= 0) times[name].push(answer.ms);
      }
    }
  }
  if (rows.size > 1) throw new Error(`answers of ${[...rows].join(" and ")} rows`);
  bench.progress(`${id}: ${[...rows].join()} rows`);
  return times;
}

async function timed(url: string): Promise<{ ms: number; rows: number }> {
  const asked = performance.now();
  const answer = await ask(url);
  const ms = performance.now() - asked;
  const parsed: unknown = JSON.parse(answer);
  return { ms, rows: Array.isArray(parsed) ? parsed.length : 1 };
}
