import type { Bench } from "../bench.ts";
import { WARM_UP_NODES, warmUps } from "../peer/warm-up.ts";
import { type WorkName, workNames, worksOf } from "../peer/work.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { besides, CONNECTIONS, sendWork } from "../send-work.ts";

/** PuppetDB is slow enough to show its speed with fewer nodes. */
const PEER_NODES = 200;

/** Runs of all nodes that change nothing. Census takes one of them in in a third of a second, too short to be measured. */
const UNCHANGED_RUNS = { Census: 4, peer: 1 } as const;

/** What is noted of each kind of work, a sample for each repetition. */
type Book = Readonly<Record<WorkName, SampleBook>>;

/** A scenario for each kind of work. The first of them measures them all, for each builds on the one before. */
export function peerIngestionScenarios(): Scenario[] {
  let measured: Promise<Book> | undefined;
  return workNames.map((name) => ({
    name: `peer-ingestion/${name}`,
    shows: `until everything is queryable, ${CONNECTIONS} connections; PuppetDB with ${PEER_NODES} nodes`,
    needsPeer: true,
    metrics: {
      peer: { unit: "commands/s" },
      Census: { unit: "commands/s" },
      ratio: { unit: "ratio" },
      "processor time of Census": { unit: "ms/command" },
    },
    measure: async (bench): Promise<Samples> => {
      const book = await (measured ??= measureIngestion(bench));
      return book[name].samples();
    },
  }));
}

/**
 * Both begin empty and store kind after kind by turns, so that other work of the machine affects both alike. Each is warmed
 * up before it is measured: while the other works it is idle, releases memory and ends threads.
 */
async function measureIngestion(bench: Bench): Promise<Book> {
  const { rivals, runs } = bench;
  const population = await rivals.population();
  const works = {
    Census: worksOf(population, population.counts.nodes, { runs: UNCHANGED_RUNS.Census }),
    peer: worksOf(population, PEER_NODES, { runs: UNCHANGED_RUNS.peer }),
  };
  const others = {
    Census: worksOf(population, WARM_UP_NODES.Census),
    peer: worksOf(population, WARM_UP_NODES.peer),
  };
  const book = Object.fromEntries(workNames.map((name) => [name, new SampleBook()])) as Record<WorkName, SampleBook>;
  for (let run = 1; run <= runs; run++) {
    const servers = { Census: await rivals.emptyCensus(), peer: { url: (await rivals.emptyPeer()).url } };
    const speedOf = async (who: keyof typeof servers, name: WorkName): ReturnType<typeof sendWork> => {
      const before = warmUps(name, others[who][name]);
      for (const work of before) await sendWork(bench, `${run}/${runs} ${who} warms up, ${name}`, servers[who], work);
      const work = before.slice(-1).reduce(besides, works[who][name]);
      return sendWork(bench, `${run}/${runs} ${who}, ${name}`, servers[who], work);
    };
    for (const name of workNames) {
      const ours = await speedOf("Census", name);
      const theirs = await speedOf("peer", name);
      book[name].add("peer", theirs.speed);
      book[name].add("Census", ours.speed);
      book[name].add("ratio", ours.speed / theirs.speed);
      book[name].add("processor time of Census", ours.processor);
    }
  }
  return book;
}
