import { setTimeout as delay } from "node:timers/promises";
import { directorySize } from "../directory-size.ts";
import type { Bench } from "../bench.ts";
import type { DownloadInput, DownloadOutput } from "../children/download.ts";
import { atRest, SETTLED } from "../machine.ts";
import type { CensusProcess } from "../census-process.ts";
import { proportionalMemory, riseDuring } from "../memory.ts";
import type { Options } from "../options.ts";
import { oraclePopulation, type OraclePopulation, populationFile } from "../peer/population.ts";
import { peerQueries } from "../peer/queries.ts";
import { ended } from "../peer/rivals.ts";
import { type WorkName, workNames, worksOf } from "../peer/work.ts";
import { SampleBook, type Samples, type Scenario, type Target, type Unit } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { sendWork } from "../send-work.ts";
import { answerTimes, WireConnection } from "../wire.ts";
import { ARCHIVE } from "./export.ts";
import { heldBy, type Receiver, sendByTurns } from "./growth-commands.ts";

/** A cost that is followed through the sizes: a scenario, and a row of the table. */
export interface Cost {
  readonly kind: "commands" | "queries" | "look-ups" | "store" | "archives";
  readonly name: string;
  readonly unit: Unit;
}

/** Requests of each query. */
const WARM_UPS = 3;
const RUNS = 20;

/** Blocks of requests that two services get by turns. */
const BLOCKS = 3;

/** What an export needs at its height besides what a service has that has just started. */
const EXPORT_HEIGHT = "memory of an export";

/** And what as a rule in the last third of its time. */
const EXPORT_END = "memory of an export, last third";

/**
 * Of these two the growth is that from the last size to twice as many nodes, the same part of an export on both sides: a
 * smaller one may end before it has needed all that it may need.
 */
const OF_EXPORTS: readonly string[] = [EXPORT_HEIGHT, EXPORT_END];

/** More than this is growth, less is noise. */
const NOISE = 1.1;
/** Queries about one node should hardly depend on the number of nodes. */
const LOOK_UP = 2;

/** Queries about one node, by its certname. */
const lookUps: Readonly<Record<string, (certname: string) => string>> = {
  node: (certname) => `/nodes/${certname}`,
  facts: (certname) => `/nodes/${certname}/facts`,
  resources: (certname) => `/nodes/${certname}/resources`,
  catalog: (certname) => `/catalogs/${certname}`,
  factset: (certname) => `/factsets/${certname}`,
  reports: (certname) =>
    `/reports?query=${encodeURIComponent(JSON.stringify(["extract", ["hash", "status"], ["=", "certname", certname]]))}`,
};

/** The target of a cost. The cost of one command should not depend on the number of nodes; other costs may grow with it. */
function targetOf({ kind, name }: Cost, sizes: number): Target {
  if (kind === "look-ups") return { atMost: LOOK_UP };
  const isLevel = kind === "commands" || OF_EXPORTS.includes(name);
  return { atMost: isLevel ? NOISE : sizes * NOISE };
}

/**
 * A scenario for each cost: at every size, and by how many times it grows from the last but one to the last. The first of
 * them measures them all. None where PuppetDB's generator is not, which makes the population.
 */
export function growthScenarios({ sizes, oracle }: Options): Scenario[] {
  const queries = peerQueries(oracle);
  if (queries.length === 0) return [];
  const costs: Cost[] = [
    ...workNames.map((name) => ({ kind: "commands", name, unit: "ms/command" }) as const),
    ...queries.map(({ id }) => ({ kind: "queries", name: id, unit: "milliseconds" }) as const),
    ...Object.keys(lookUps).map((name) => ({ kind: "look-ups", name, unit: "milliseconds" }) as const),
    ...["memory", "disk"].map((name) => ({ kind: "store", name, unit: "bytes" }) as const),
    { kind: "archives", name: "export", unit: "milliseconds" },
    ...OF_EXPORTS.map((name) => ({ kind: "archives", name, unit: "bytes" }) as const),
  ];
  let measured: Promise<Map<string, Samples>> | undefined;
  return costs.map((cost) => {
    const followed = OF_EXPORTS.includes(cost.name) ? [...sizes, twice(sizes)] : sizes;
    const [before = 1, last = 1] = followed.slice(-2);
    return {
      name: scenarioOf(cost),
      shows: `how it grows from ${before} to ${last} nodes`,
      metrics: {
        ...Object.fromEntries(followed.map((size) => [sizeName(size), { unit: cost.unit }])),
        growth: { unit: "ratio", target: targetOf(cost, last / before) },
      },
      measure: async (bench): Promise<Samples> => {
        const samples = (await (measured ??= measureSizes(bench, sizes, oracle))).get(scenarioOf(cost)) ?? {};
        return { ...samples, growth: growthOf(samples[sizeName(before)], samples[sizeName(last)], bench.runs) };
      },
    };
  });
}

/** Twice as many nodes as the last size has. */
function twice(sizes: readonly number[]): number {
  return 2 * (sizes.at(-1) ?? 1);
}

/** The name of a cost's scenario; the tables read it back. */
function scenarioOf({ kind, name }: Pick<Cost, "kind" | "name">): string {
  return `growth/${kind}/${name}`;
}

/** What the figure at a size is called. */
export function sizeName(nodes: number): string {
  return `${nodes} nodes`;
}

/** By how many times the median is that of before, run by run; as many samples of each run, one run's behind the other's. */
export function growthOf(before: readonly number[] = [], after: readonly number[] = [], runs = 1): number[] {
  if (before.length === 0 || after.length === 0) return [];
  const medians = (samples: readonly number[]): number[] => {
    const each = samples.length / runs;
    return Array.from({ length: runs }, (_, run) => statisticsOf(samples.slice(run * each, (run + 1) * each)).median);
  };
  const earlier = medians(before);
  return medians(after).map((median, run) => median / (earlier[run] ?? Number.NaN));
}

/** Samples of every scenario, by its name. */
async function measureSizes(bench: Bench, sizes: readonly number[], oracle: string): Promise<Map<string, Samples>> {
  const books = new Map<string, SampleBook>();
  const noteOf =
    (size: number): Note =>
    (cost, value) => {
      const name = scenarioOf(cost);
      const book = books.get(name) ?? new SampleBook();
      books.set(name, book);
      book.add(sizeName(size), value);
    };
  for (let run = 1; run <= bench.runs; run++) {
    const held: Held[] = [];
    const receivers: Receiver[] = [];
    for (const size of sizes) {
      bench.progress(`growth, ${size} nodes, ${run}/${bench.runs}`);
      const population = await oraclePopulation(oracle, size);
      const note = noteOf(size);
      await measureSize(bench, { population, oracle }, note);
      const census = bench.rivals.handOver();
      held.push({ census, requests: requestsOf(population, oracle), note });
      const noteCommand = (name: WorkName, ms: number): void => note({ kind: "commands", name }, ms);
      receivers.push({ census, size, held: heldBy(population), note: noteCommand });
    }
    bench.progress(`growth, queries, ${run}/${bench.runs}`);
    await queryByTurns(held);
    bench.progress(`growth, commands, ${run}/${bench.runs}`);
    await sendByTurns(bench, receivers, oracle, sizes.at(-1) ?? 1);
    for (const { census } of held) await ended(census);
  }
  const size = twice(sizes);
  const file = await populationFile(oracle, size);
  for (let run = 1; run <= bench.runs; run++) {
    bench.progress(`growth, an export of ${size} nodes, ${run}/${bench.runs}`);
    await noteExport(bench, await bench.rivals.censusWith(file), oracle, noteOf(size));
  }
  return new Map([...books].map(([name, book]) => [name, book.samples()]));
}

interface Sized {
  readonly population: OraclePopulation;
  readonly oracle: string;
}

type Note = (cost: Pick<Cost, "kind" | "name">, value: number | undefined) => void;

/** A service with a population, and the requests to it. */
interface Held {
  readonly census: CensusProcess;
  readonly requests: readonly (readonly [cost: Pick<Cost, "kind" | "name">, target: string])[];
  readonly note: Note;
}

function requestsOf({ commands }: OraclePopulation, oracle: string): Held["requests"] {
  const certname = commands.findLast(({ command }) => command === "replace_catalog")?.certname ?? "";
  return [
    ...peerQueries(oracle).map(({ id, target }) => [{ kind: "queries", name: id }, target] as const),
    ...Object.entries(lookUps).map(
      ([name, path]) => [{ kind: "look-ups", name }, `/pdb/query/v4${path(certname)}`] as const,
    ),
  ];
}

/** Queries services of all sizes by turns, block by block: they are compared with each other, and the machine's speed changes. */
async function queryByTurns(services: readonly Held[]): Promise<void> {
  const connections = await Promise.all(services.map(({ census }) => WireConnection.open(census.url)));
  const measure = async (index: number, runs: number, { census, requests, note }: Held): Promise<void> => {
    const request = requests[index];
    const connection = connections[services.findIndex((service) => service.census === census)];
    if (request === undefined || connection === undefined) return;
    const [cost, target] = request;
    for (const ms of await answerTimes(connection, target, { warmUps: WARM_UPS, runs })) note(cost, ms);
  };
  const silent = services.map((service): Held => ({ ...service, note: () => undefined }));
  for (const [index] of (services[0]?.requests ?? []).entries()) {
    for (const service of silent) await measure(index, RUNS, service);
    for (let block = 0; block < BLOCKS; block++) for (const service of services) await measure(index, RUNS, service);
  }
  for (const connection of connections) connection.close();
}

/** Sends everything over HTTP, measures memory and disk, and exports. Afterwards the service has just started, with its nodes in memory. */
async function measureSize(bench: Bench, { population, oracle }: Sized, note: Note): Promise<void> {
  const census = await bench.rivals.emptyCensus();
  const work = worksOf(population, Infinity);
  for (const name of ["facts", "catalogs", "reports"] as const) await sendWork(bench, name, census, work[name]);
  const settled = delay(SETTLED);
  // The memory that the requests needed counts.
  await queryByTurns([{ census, requests: requestsOf(population, oracle), note: () => undefined }]);
  await settled;
  note({ kind: "store", name: "memory" }, proportionalMemory([census.pid]));
  note({ kind: "store", name: "disk" }, directorySize(census.directory));
  // Wait until the memory used for storing has been released.
  await atRest();
  const { seconds } = await bench.run<DownloadOutput>("download", {
    url: census.url + ARCHIVE,
  } satisfies DownloadInput);
  note({ kind: "archives", name: "export" }, seconds * 1000);
  const again = await bench.rivals.censusAgain();
  await noteExport(bench, again, oracle, note);
  await sendWork(bench, "one command, for its nodes to be in memory", again, {
    commands: worksOf(population, 1)["facts, unchanged"].commands,
    stored: work.facts.stored,
  });
}

/** Measures an export in a service that has just started and answered some queries: one that has worked longer has free memory left. */
async function noteExport(bench: Bench, census: CensusProcess, oracle: string, note: Note): Promise<void> {
  const connection = await WireConnection.open(census.url);
  for (const { target } of peerQueries(oracle)) await answerTimes(connection, target, { warmUps: 0, runs: RUNS / 2 });
  connection.close();
  await atRest();
  const input: DownloadInput = { url: census.url + ARCHIVE };
  const [, rise] = await riseDuring(census.pid, () => bench.run<DownloadOutput>("download", input));
  note({ kind: "archives", name: EXPORT_HEIGHT }, rise?.whole);
  note({ kind: "archives", name: EXPORT_END }, rise?.atEnd);
}
