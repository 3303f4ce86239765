import { setTimeout as delay } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { SETTLED } from "../machine.ts";
import { directorySize } from "../directory-size.ts";
import { proportionalMemory } from "../memory.ts";
import type { PeerQuery } from "../peer/queries.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { answerTimes, WireConnection } from "../wire.ts";

/** Requests of each query, before memory is looked at. */
const ASKED = 20;

/** Memory and disk that both need after they stored the population and answered every query. */
export function resourceScenarios(queries: readonly PeerQuery[]): Scenario[] {
  if (queries.length === 0) return [];
  let loaded: Promise<Needs> | undefined;
  const needs = async (bench: Bench): Promise<Needs> => (loaded ??= measureNeeds(bench, queries));
  return [
    {
      name: "peer-resources/memory after the load",
      shows: "of service and database together; what processes share counts once",
      needsPeer: true,
      metrics: { peer: { unit: "bytes" }, Census: { unit: "bytes" }, ratio: { unit: "ratio" } },
      measure: async (bench) => compared((await needs(bench)).memory),
    },
    {
      name: "peer-resources/disk after the load",
      shows: "of the database, its indexes and the queue",
      needsPeer: true,
      metrics: { peer: { unit: "bytes" }, Census: { unit: "bytes" }, ratio: { unit: "ratio" } },
      measure: async (bench) => compared((await needs(bench)).disk),
    },
    {
      name: "peer-resources/start to first answer",
      shows:
        "with the population there already, by the packaged program where that was made; PuppetDB only with --restart-peer",
      needsPeer: true,
      metrics: {
        peer: { unit: "seconds" },
        Census: { unit: "seconds", target: { atMost: 1 } },
        ratio: { unit: "ratio" },
        "Census, from the disk": { unit: "seconds" },
      },
      measure: measureStart,
    },
  ];
}

/** What PuppetDB and Census need; undefined where it cannot be found out. */
interface Pair {
  readonly peer: number | undefined;
  readonly census: number | undefined;
}

interface Needs {
  readonly memory: Pair;
  readonly disk: Pair;
}

/** @returns the ratio as well, where both are known */
function compared({ peer, census }: Pair): Samples {
  return {
    peer: peer === undefined ? [] : [peer],
    Census: census === undefined ? [] : [census],
    ratio: peer === undefined || census === undefined ? [] : [peer / census],
  };
}

async function measureNeeds(bench: Bench, queries: readonly PeerQuery[]): Promise<Needs> {
  const { peer, census } = await bench.rivals.loaded();
  const settled = delay(SETTLED);
  for (const { url } of [peer, census]) {
    const connection = await WireConnection.open(url);
    for (const { target } of queries) await answerTimes(connection, target, { warmUps: 0, runs: ASKED });
    connection.close();
  }
  await settled;
  const theirs = await peer.processes();
  if (theirs === undefined) bench.progress("memory and disk of PuppetDB: only known of one that up.sh has started");
  return {
    memory: {
      peer: theirs === undefined ? undefined : proportionalMemory(theirs),
      census: proportionalMemory([census.pid]),
    },
    disk: { peer: await peer.diskSize(), census: directorySize(census.directory) },
  };
}

async function measureStart(bench: Bench): Promise<Samples> {
  await bench.rivals.withPopulation();
  const samples = { peer: [] as number[], Census: [] as number[] };
  // PuppetDB's program has just run and is in memory; the packaged one has not, and comes from the disk first.
  const fromDisk = await bench.rivals.restartCensus();
  for (let run = 1; run <= bench.runs; run++) {
    samples.Census.push(await bench.rivals.restartCensus());
    const theirs = await bench.rivals.restartPeer();
    if (theirs !== undefined) samples.peer.push(theirs);
    bench.progress(
      `start ${run}/${bench.runs}: Census ${samples.Census.at(-1)?.toFixed(2)} s, peer ${theirs === undefined ? "not measured" : `${theirs} s`}`,
    );
  }
  const ratio = samples.peer.map((theirs, run) => theirs / (samples.Census[run] ?? Number.NaN));
  return { ...samples, ratio, "Census, from the disk": [fromDisk] };
}
