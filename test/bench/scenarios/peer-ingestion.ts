import type { Bench } from "../bench.ts";
import type { OraclePopulation } from "../peer/population.ts";
import { type Work, type WorkName, warmUpOf, workNames, worksOf } from "../peer/work.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { besides, CONNECTIONS, takeIn } from "../taking-in.ts";

/** The peer is slow enough to show its speed with fewer nodes. */
const PEER_NODES = 200;

/**
 * Other nodes come first, until it gets no faster: what is compiled and cached is not what is measured, and both run for
 * weeks where they are used. The peer has run for long by then and needs fewer; Census is started anew each time.
 */
const WARM_UP_NODES = { Census: 500, peer: 100 } as const;

/** How often that many come, each time others; and how often those of the last time are sent again, unchanged. */
const ROUNDS = 4;
const REPETITIONS = 24;

/** How many times as fast as the peer Census should be. */
const targets: Readonly<Record<WorkName, number>> = {
  facts: 20,
  catalogs: 20,
  reports: 10,
  "facts, unchanged": 20,
  "catalogs, unchanged": 20,
};

/** What is noted of each kind of work, a sample for each repetition. */
type Book = Readonly<Record<WorkName, SampleBook>>;

/** A scenario for each kind of work. The first of them measures them all, for each builds on the one before. */
export function peerIngestionScenarios(): Scenario[] {
  let measured: Promise<Book> | undefined;
  return workNames.map((name) => ({
    name: `peer-ingestion/${name}`,
    shows: `until everything is queryable, ${CONNECTIONS} connections; the peer with ${PEER_NODES} nodes`,
    needsPeer: true,
    metrics: {
      peer: { unit: "commands/s" },
      Census: { unit: "commands/s" },
      ratio: { unit: "ratio", target: { atLeast: targets[name] } },
      "processor time of Census": { unit: "ms/command" },
    },
    measure: async (bench): Promise<Samples> => {
      const book = await (measured ??= measureIngestion(bench));
      return book[name].samples();
    },
  }));
}

/** Both begin with nothing and take in kind after kind by turns, so that whatever else the machine does is shared fairly. */
async function measureIngestion(bench: Bench): Promise<Book> {
  const { rivals, runs } = bench;
  const population = await rivals.population();
  const forPeer = worksOf(population, PEER_NODES);
  const forCensus = worksOf(population, population.counts.nodes);
  const held = { Census: heldBy(population, WARM_UP_NODES.Census), peer: heldBy(population, WARM_UP_NODES.peer) };
  const book = Object.fromEntries(workNames.map((name) => [name, new SampleBook()])) as Record<WorkName, SampleBook>;
  for (let run = 1; run <= runs; run++) {
    const census = await rivals.emptyCensus();
    const peer = await rivals.emptyPeer();
    for (const [who, rival] of [
      ["Census", census],
      ["peer", peer],
    ] as const) {
      for (const { name, work } of warmUps(population, WARM_UP_NODES[who]))
        await takeIn(bench, `${run}/${runs} ${who} warms up, ${name}`, rival, work);
    }
    for (const name of workNames) {
      const work = forCensus[name];
      const ours = await takeIn(bench, `${run}/${runs} Census, ${name}`, census, besides(work, held.Census[name]));
      const theirs = await takeIn(
        bench,
        `${run}/${runs} peer, ${name}`,
        { url: peer.url },
        besides(forPeer[name], held.peer[name]),
      );
      book[name].add("peer", theirs.speed);
      book[name].add("Census", ours.speed);
      book[name].add("ratio", ours.speed / theirs.speed);
      book[name].add("processor time of Census", ours.processor);
    }
  }
  return book;
}

/** What warms a server up, in its order. */
function* warmUps(population: OraclePopulation, nodes: number): Generator<{ name: WorkName; work: Work }> {
  const works = worksOf(population, nodes);
  const [fresh, repeated] = [workNames.slice(0, 3), workNames.slice(3)];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of fresh) yield { name, work: warmUpOf(works[name], round) };
  }
  for (const name of repeated) {
    const { commands } = warmUpOf(works[name], ROUNDS);
    for (let time = 0; time < REPETITIONS; time++) yield { name, work: { ...works[name], commands } };
  }
}

/** What a server that is warm holds besides what it is sent then. */
function heldBy(population: OraclePopulation, nodes: number): Readonly<Record<WorkName, Work>> {
  const last = new Map([...warmUps(population, nodes)].map(({ name, work }) => [name, work]));
  return Object.fromEntries(last) as Record<WorkName, Work>;
}
