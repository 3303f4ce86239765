import type { Figure } from "./figure.ts";
import type { Unit } from "./scenario.ts";
import { percentile, statisticsOf } from "./statistics.ts";

/** A figure as far as it is compared; reports of earlier runs hold these too. */
export type Measured = Pick<Figure, "scenario" | "metric" | "unit" | "samples" | "target">;

/** A figure that differs from an earlier run's by more than the noise. */
export interface Change {
  readonly scenario: string;
  readonly metric: string;
  readonly unit: Unit;
  readonly verdict: "worse" | "better";
  /** medians */
  readonly before: number;
  readonly after: number;
  /** how far apart they may be without meaning anything, in their unit */
  readonly noise: number;
}

/** What changed since an earlier run, as part of a run's report. */
export interface Comparison {
  readonly with: string;
  readonly rule: string;
  /** figures that both runs have */
  readonly compared: number;
  readonly changes: readonly Change[];
}

/** The rule, for people. */
export const RULE =
  "medians further apart than the middle half of the samples of either run is wide, and than a tenth of the earlier one " +
  "(of fewer than 8 samples: than all of them; of a single one: than a quarter)";

/** The number of samples from which quartiles are meaningful. */
const ENOUGH_FOR_QUARTILES = 8;
/** What the samples of one run do not show, for the machine was in one mood while they were taken: parts of the median. */
const BETWEEN_RUNS = 0.1;
const OF_ONE_SAMPLE = 0.25;

type Direction = "more" | "less" | undefined;

/** What is better where there is no target; undefined: such a number is good or bad by itself. */
const better: Readonly<Record<Unit, Direction>> = {
  bytes: "less",
  "bytes each": "less",
  seconds: "less",
  milliseconds: "less",
  "commands/s": "more",
  "ms/command": "less",
  "rows/s": "more",
  commands: undefined,
  runs: undefined,
  requests: "less",
  ratio: undefined,
};

/** What got worse or better from one run to another by more than the noise; what only one of them measured is left out. */
export function changesOf(before: readonly Measured[], after: readonly Measured[]): Change[] {
  const earlier = new Map(before.map((figure) => [nameOf(figure), figure]));
  return after.flatMap((figure) => {
    const old = earlier.get(nameOf(figure));
    const direction = directionOf(figure);
    return old === undefined || direction === undefined ? [] : changeOf(old, figure, direction);
  });
}

function changeOf(old: Measured, { scenario, metric, unit, samples }: Measured, direction: "more" | "less"): Change[] {
  const before = statisticsOf(old.samples).median;
  const after = statisticsOf(samples).median;
  const single = Math.min(old.samples.length, samples.length) === 1;
  const unseen = Math.abs(before) * (single ? OF_ONE_SAMPLE : BETWEEN_RUNS);
  const noise = Math.max(widthOf(old.samples), widthOf(samples), unseen);
  if (Math.abs(after - before) <= noise) return [];
  const verdict = after > before === (direction === "more") ? "better" : "worse";
  return [{ scenario, metric, unit, verdict, before, after, noise }];
}

function widthOf(samples: readonly number[]): number {
  const [from, to] = samples.length < ENOUGH_FOR_QUARTILES ? [0, 1] : [0.25, 0.75];
  return percentile(samples, to) - percentile(samples, from);
}

/** A ratio is better where its limit is. */
function directionOf({ unit, target }: Measured): Direction {
  if (target === undefined) return better[unit];
  return "atLeast" in target ? "more" : "less";
}

function nameOf({ scenario, metric }: Measured): string {
  return `${scenario}\0${metric}`;
}
