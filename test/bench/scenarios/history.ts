import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { HistoryInput, HistoryOutput } from "../children/history.ts";
import { benchFolder } from "../population.ts";
import type { Options } from "../options.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";

/** What recording changes may cost, as a multiple of storing commands without. */
const AT_MOST = 1.1;

/** The longest acceptable time for the changes of a node, in ms. */
const LOG = 50;

/** How much smaller this fleet is than the one whose day is simulated: each command is stored twice. */
const PART = 20;

/** The cost of recording changes: of the same commands in two stores by turns, with history and without. */
export function historyScenarios({ fleet }: Options): Scenario[] {
  const nodes = Math.ceil(fleet.nodes / PART);
  return [false, true].map((changesAll) => ({
    name: changesAll ? "history/all change" : "history/half-hourly",
    shows: changesAll
      ? `processor time of ${nodes} nodes whose every fact set and catalog has a recorded change`
      : `processor time of ${nodes} nodes, half-hourly runs: measured facts and one catalog in fifty change`,
    metrics: {
      without: { unit: "ms/command" },
      "with history": { unit: "ms/command" },
      ratio: { unit: "ratio", target: { atMost: AT_MOST } },
      "changes of a node": { unit: "milliseconds", target: { atMost: LOG } },
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
