import { directorySize } from "../directory-size.ts";
import type { Bench } from "../bench.ts";
import type { DownloadInput, DownloadOutput } from "../children/download.ts";
import { atRest } from "../machine.ts";
import type { CensusProcess } from "../census-process.ts";
import { proportionalMemory, type Rise, riseDuring } from "../memory.ts";
import type { Options } from "../options.ts";
import { oraclePopulation, type OraclePopulation, populationFile } from "../peer/population.ts";
import { peerQueries } from "../peer/queries.ts";
import { workNames, worksOf } from "../peer/work.ts";
import { SampleBook, type Samples, type Scenario, type Target, type Unit } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { besides, takeIn } from "../taking-in.ts";
import { answerTimes, WireConnection } from "../wire.ts";
import { ARCHIVE } from "./export.ts";

/** A cost that is followed through the sizes: a scenario, and a line of the plot. */
export interface Cost {
  readonly kind: "commands" | "queries" | "look-ups" | "store" | "archives";
  readonly name: string;
  readonly unit: Unit;
}

/** So many nodes come first and are not measured, where half of them are not fewer. */
const WARM_UP_NODES = 100;

/** Requests of each query. */
const WARM_UPS = 3;
const RUNS = 20;

/** What an export needs besides what a service has that has just started. At the last size it is held against twice that size. */
const EXPORT_MEMORY = "memory of an export";

/** Of the last third of its time as a rule, which at the last size is held against the middle one: whether it goes on rising. */
const EXPORT_LEVEL = "memory of an export, last third";

/** The metric, told nowhere, of what it is held against. */
const EARLIER = "middle third";

/** The metric, told nowhere, of twice the last size. */
const TWICE = "twice the last size";

/** More than this is growth, less is noise. */
const NOISE = 1.1;
/** What is asked of one node should hardly notice how many others there are. */
const LOOK_UP = 2;

/** What is asked of one node, by its certname. */
const lookUps: Readonly<Record<string, (certname: string) => string>> = {
  node: (certname) => `/nodes/${certname}`,
  facts: (certname) => `/nodes/${certname}/facts`,
  resources: (certname) => `/nodes/${certname}/resources`,
  catalog: (certname) => `/catalogs/${certname}`,
  factset: (certname) => `/factsets/${certname}`,
  reports: (certname) =>
    `/reports?query=${encodeURIComponent(JSON.stringify(["extract", ["hash", "status"], ["=", "certname", certname]]))}`,
};

/** What grows beyond this with the number of nodes is told. Commands are a cost each, so that it should stay the same. */
function targetOf({ kind, name }: Cost, sizes: number): Target {
  if (kind === "look-ups") return { atMost: LOOK_UP };
  const isLevel = kind === "commands" || name === EXPORT_MEMORY || name === EXPORT_LEVEL;
  return { atMost: isLevel ? NOISE : sizes * NOISE };
}

/**
 * A scenario for each cost: at every size, and by how many times it grows from the last but one to the last. The first of
 * them measures them all. None where the peer's generator is not, which makes the population.
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
    { kind: "archives", name: EXPORT_MEMORY, unit: "bytes" },
    { kind: "archives", name: EXPORT_LEVEL, unit: "bytes" },
  ];
  const [before = 1, last = 1] = sizes.slice(-2);
  let measured: Promise<Map<string, Samples>> | undefined;
  return costs.map((cost) => ({
    name: scenarioOf(cost),
    shows: `how it grows ${stepOf(cost, before, last)}`,
    metrics: {
      ...Object.fromEntries(sizes.map((size) => [sizeName(size), { unit: cost.unit }])),
      growth: { unit: "ratio", target: targetOf(cost, last / before) },
    },
    measure: async (bench): Promise<Samples> => {
      const found = (await (measured ??= measureSizes(bench, sizes, oracle))).get(scenarioOf(cost)) ?? {};
      const { [EARLIER]: earlier = [], [TWICE]: twice = [], ...samples } = found;
      const reached = samples[sizeName(last)];
      if (cost.name === EXPORT_MEMORY) return { ...samples, growth: growthOf(reached, twice, bench.runs) };
      // Sizes come one after the other: the last runs are those of the last size.
      const base = cost.name === EXPORT_LEVEL ? earlier.slice(-bench.runs) : samples[sizeName(before)];
      return { ...samples, growth: growthOf(base, reached, bench.runs) };
    },
  }));
}

/** From what to what the growth of a cost is told. */
function stepOf({ name }: Cost, before: number, last: number): string {
  if (name === EXPORT_LEVEL) return `from the middle third to the last, of ${last} nodes`;
  if (name === EXPORT_MEMORY) return `from ${last} to ${2 * last} nodes`;
  return `from ${before} to ${last} nodes`;
}

/** What the scenario of a cost is called; the page and the plot read it back. */
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
  for (const size of sizes) {
    const population = await oraclePopulation(oracle, size);
    for (let run = 1; run <= bench.runs; run++) {
      bench.progress(`growth, ${size} nodes, ${run}/${bench.runs}`);
      const note: Note = (cost, value, metric = sizeName(size)) => {
        const name = scenarioOf(cost);
        const book = books.get(name) ?? new SampleBook();
        books.set(name, book);
        book.add(metric, value);
      };
      await measureSize(bench, { population, size, oracle }, note);
    }
  }
  const last = sizes.at(-1) ?? 0;
  const twice = await populationFile(oracle, 2 * last);
  for (let run = 1; run <= bench.runs; run++) {
    bench.progress(`growth, an export of ${2 * last} nodes, ${run}/${bench.runs}`);
    const rise = await exportOnceStarted(bench, await bench.rivals.censusWith(twice), oracle);
    books.get(scenarioOf({ kind: "archives", name: EXPORT_MEMORY }))?.add(TWICE, rise?.whole);
  }
  return new Map([...books].map(([name, book]) => [name, book.samples()]));
}

interface Sized {
  readonly population: OraclePopulation;
  readonly size: number;
  readonly oracle: string;
}

/** @param metric that of the size unless told */
type Note = (cost: Pick<Cost, "kind" | "name">, value: number | undefined, metric?: string) => void;

/** Everything is taken in over HTTP, then asked, weighed and exported. */
async function measureSize(bench: Bench, { population, size, oracle }: Sized, note: Note): Promise<void> {
  const census = await bench.rivals.emptyCensus();
  const few = Math.min(WARM_UP_NODES, Math.floor(size / 2));
  const warmUp = worksOf(population, few);
  for (const name of workNames) await takeIn(bench, `warming up, ${name}`, census, warmUp[name]);
  const work = worksOf(population, size, few);
  for (const name of workNames) {
    const { speed } = await takeIn(bench, name, census, besides(work[name], warmUp[name]));
    note({ kind: "commands", name }, 1000 / speed);
  }
  const connection = await WireConnection.open(census.url);
  const certname = population.commands.find(({ command }) => command === "replace_catalog")?.certname ?? "";
  const asked: [kind: Cost["kind"], name: string, target: string][] = [
    ...peerQueries(oracle).map(({ id, target }) => ["queries", id, target] as const),
    ...Object.entries(lookUps).map(([name, path]) => ["look-ups", name, `/pdb/query/v4${path(certname)}`] as const),
  ].map(([kind, name, target]) => [kind, name, target]);
  for (const [kind, name, target] of asked) {
    for (const ms of await answerTimes(connection, target, { warmUps: WARM_UPS, runs: RUNS })) {
      note({ kind, name }, ms);
    }
  }
  connection.close();
  note({ kind: "store", name: "memory" }, proportionalMemory([census.pid]));
  note({ kind: "store", name: "disk" }, directorySize(census.directory));
  // What was used to take everything in is given back before.
  await atRest();
  const { seconds } = await bench.run<DownloadOutput>("download", {
    url: census.url + ARCHIVE,
  } satisfies DownloadInput);
  note({ kind: "archives", name: "export" }, seconds * 1000);
  const rise = await exportOnceStarted(bench, await bench.rivals.censusAgain(), oracle);
  note({ kind: "archives", name: EXPORT_MEMORY }, rise?.whole);
  note({ kind: "archives", name: EXPORT_LEVEL }, rise?.levels[1]);
  note({ kind: "archives", name: EXPORT_LEVEL }, rise?.levels[0], EARLIER);
}

/** What an export takes in a service that has just started and been asked some questions; in one that has worked much is free. */
async function exportOnceStarted(bench: Bench, census: CensusProcess, oracle: string): Promise<Rise | undefined> {
  const connection = await WireConnection.open(census.url);
  for (const { target } of peerQueries(oracle)) await answerTimes(connection, target, { warmUps: 0, runs: RUNS / 2 });
  connection.close();
  await atRest();
  const input: DownloadInput = { url: census.url + ARCHIVE };
  const [, rise] = await riseDuring(census.pid, () => bench.run<DownloadOutput>("download", input));
  return rise;
}
