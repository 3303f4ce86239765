import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { HistoryInput, HistoryOutput } from "../children/history.ts";
import type { KeptHistoryInput, KeptHistoryOutput } from "../children/kept-history.ts";
import type { PastQueriesInput, PastQueryTimes } from "../children/past-queries.ts";
import { pastBenchQueries } from "../queries.ts";
import { benchFolder } from "../population.ts";
import type { Options } from "../options.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";

/** How long changes are kept by default. */
const DAYS = 90;

/** How much smaller this fleet is than the one whose day is simulated: each command is stored twice. */
const PART = 20;

/** The cost of recording changes: of the same commands in two stores by turns, with history and without. And that of queries of a past state. */
export function historyScenarios({ fleet }: Options): Scenario[] {
  const nodes = Math.ceil(fleet.nodes / PART);
  return [...recordingScenarios(fleet, nodes), keptScenario(fleet.nodes), pastScenario(fleet.nodes)];
}

function recordingScenarios(fleet: Options["fleet"], nodes: number): Scenario[] {
  return [false, true].map((changesAll) => ({
    name: changesAll ? "history/all change" : "history/half-hourly",
    shows: changesAll
      ? `processor time of ${nodes} nodes whose every fact set and catalog has a recorded change`
      : `processor time of ${nodes} nodes, half-hourly runs: measured facts and one catalog in fifty change`,
    metrics: {
      without: { unit: "ms/command" },
      "with history": { unit: "ms/command" },
      ratio: { unit: "ratio" },
      "changes of a node": { unit: "milliseconds" },
    },
    measure: async (bench: Bench): Promise<Samples> => {
      const directory = join(benchFolder, "data", "history");
      const input: HistoryInput = { directory, nodes, runs: fleet.runs, changesAll };
      const { without, recorded, logs, changes } = await bench.run<HistoryOutput>("history", input);
      bench.progress(`${changes} recorded changes of ${nodes} nodes`);
      const ratio = statisticsOf(recorded).median / statisticsOf(without).median;
      return { without, "with history": recorded, ratio: [ratio], "changes of a node": logs };
    },
  }));
}

/**
 * What the history of a fleet comes to that runs every half hour: its size, the time that the queries of `census log NODE` take,
 * and the processor time of all changes of a node with all fields.
 */
function keptScenario(nodes: number): Scenario {
  return {
    name: "history/kept",
    shows: `${DAYS} days of half-hourly runs of ${nodes} nodes; one catalog in fifty and one fact a day change`,
    metrics: {
      "a node and day": { unit: "bytes each" },
      "a node and day, changes": { unit: "bytes each" },
      "a node and day, times of documents": { unit: "bytes each" },
      "log of a node": { unit: "milliseconds" },
      "changes of a node": { unit: "milliseconds" },
      "purge of a day": { unit: "milliseconds" },
    },
    measure: async (bench: Bench): Promise<Samples> => {
      const input: KeptHistoryInput = { directory: join(benchFolder, "data", "kept-history"), nodes, days: DAYS };
      const { changes, documents, logs, allChanges, rows, purges } = await bench.run<KeptHistoryOutput>(
        "kept-history",
        input,
      );
      bench.progress(`${rows} changes of a node in ${DAYS} days`);
      return {
        "a node and day": [changes + documents],
        "a node and day, changes": [changes],
        "a node and day, times of documents": [documents],
        "log of a node": logs,
        "changes of a node": allChanges,
        "purge of a day": purges,
      };
    },
  };
}

/** Queries of a past state and of the present one by turns: a median for each, and the ratios of all. */
function pastScenario(nodes: number): Scenario {
  const times = pastBenchQueries.flatMap(({ name }) => [`${name}, present`, `${name}, as_of`]);
  return {
    name: "history/as_of",
    shows: `processor time of queries as of half an hour ago; ${nodes} nodes, whose facts and catalogs all changed since`,
    metrics: {
      ...Object.fromEntries(times.map((name) => [name, { unit: "milliseconds" as const }])),
      ratio: { unit: "ratio" },
      "largest ratio": { unit: "ratio" },
    },
    measure: async (bench: Bench): Promise<Samples> => {
      const input: PastQueriesInput = { directory: join(benchFolder, "data", "past-queries"), nodes };
      const measured = await bench.run<PastQueryTimes[]>("past-queries", input);
      const ratios = measured.map(({ present, past }) => past / present);
      return {
        ...Object.fromEntries(
          measured.flatMap(({ name, present, past }) => [
            [`${name}, present`, [present]],
            [`${name}, as_of`, [past]],
          ]),
        ),
        ratio: ratios,
        "largest ratio": [Math.max(...ratios)],
      };
    },
  };
}
