import { awaitIdle, queueDepth } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import type { QueryInput, QueryOutput } from "../children/query.ts";
import type { FeedInput, FeedOutput, StopMessage } from "../children/feed.ts";
import type { PeerQuery } from "../peer/queries.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { percentile, statisticsOf } from "../statistics.ts";
import { CONNECTIONS } from "../send-work.ts";

/** Commands per second that come in meanwhile: those of 18,000 nodes that run every half hour, which PuppetDB can bear. */
const RATE = 30;

/** How often each query is sent in a block, once to warm up and then to be measured. */
const WARM_UP_ROUNDS = 5;
const ROUNDS = 40;

type Name = "peer" | "Census";

/** How long the answers to each query took, in ms; and how fast commands came in, per second. */
interface Mixed {
  readonly answers: Readonly<Record<Name, number[][]>>;
  readonly rates: Readonly<Record<Name, number[]>>;
}

/** A scenario for each query, and one that takes them together. The first of them measures them all. */
export function mixedLoadScenarios(queries: readonly PeerQuery[]): Scenario[] {
  if (queries.length === 0) return [];
  let measured: Promise<Mixed> | undefined;
  const measure = async (bench: Bench): Promise<Mixed> => (measured ??= measureMixedLoad(bench, queries));
  const times: Scenario["metrics"] = {
    peer: { unit: "milliseconds" },
    Census: { unit: "milliseconds" },
    ratio: { unit: "ratio" },
  };
  return [
    ...queries.map(({ id }, index): Scenario => ({
      name: `peer-mixed/${id}`,
      shows: `the 99th percentile of its answers while ${RATE} commands a second come in`,
      needsPeer: true,
      metrics: times,
      measure: async (bench) => {
        const { answers } = await measure(bench);
        return comparedTimes(answers.peer[index], answers.Census[index]);
      },
    })),
    {
      name: "peer-mixed, all",
      shows: "the 99th percentile of all answers above",
      needsPeer: true,
      metrics: {
        ...times,
        "peer, median": { unit: "milliseconds" },
        "Census, median": { unit: "milliseconds" },
        "peer, taken in": { unit: "commands/s" },
        "Census, taken in": { unit: "commands/s" },
      },
      measure: async (bench) => {
        const { answers, rates } = await measure(bench);
        const all = comparedTimes(answers.peer.flat(), answers.Census.flat());
        return { ...all, "peer, taken in": rates.peer, "Census, taken in": rates.Census };
      },
    },
  ];
}

function comparedTimes(peer: readonly number[] = [], census: readonly number[] = []): Samples {
  const [theirs, ours] = [percentile(peer, 0.99), percentile(census, 0.99)];
  return {
    peer: [theirs],
    Census: [ours],
    ratio: [theirs / ours],
    "peer, median": [statisticsOf(peer).median],
    "Census, median": [statisticsOf(census).median],
  };
}

/** Both with the whole population, by turns: one process queries it while another sends commands at a steady pace. */
async function measureMixedLoad(bench: Bench, queries: readonly PeerQuery[]): Promise<Mixed> {
  const { peer, census } = await bench.rivals.withPopulation();
  bench.rivals.changePopulation();
  const { file } = await bench.rivals.population();
  const targets = queries.map(({ target }) => target);
  const mixed = {
    answers: { peer: targets.map((): number[] => []), Census: targets.map((): number[] => []) },
    rates: { peer: [] as number[], Census: [] as number[] },
  };
  for (let block = 1; block <= bench.runs; block++) {
    for (const [name, { url }] of [
      ["peer", peer],
      ["Census", census],
    ] as const) {
      const feed: FeedInput = { url, file, connections: CONNECTIONS, rate: RATE };
      const feeding = await bench.start<null>("feed", feed);
      try {
        await bench.run<QueryOutput>("query", { url, targets, rounds: WARM_UP_ROUNDS } satisfies QueryInput);
        const times = await bench.run<QueryOutput>("query", { url, targets, rounds: ROUNDS } satisfies QueryInput);
        for (const [index, some] of times.entries()) mixed.answers[name][index]?.push(...some);
        const { rate } = await feeding.send<FeedOutput>({ stop: true } satisfies StopMessage);
        mixed.rates[name].push(rate);
        bench.progress(
          `mixed load, ${name}, ${block}/${bench.runs}: ${rate.toFixed(1)} commands/s came in, ` +
            `${(await queueDepth(url)) ?? "?"} wait; 99% of the answers within ${percentile(times.flat(), 0.99).toFixed(1)} ms`,
        );
      } finally {
        await feeding.close();
      }
      // What is left must not be done at the other's cost.
      await awaitIdle(url);
    }
  }
  return mixed;
}
