import { meets, type Metric, type Samples, type Scenario } from "./scenario.ts";
import { statisticsOf, type Statistics } from "./statistics.ts";

/** One figure with all that is to be said about it. */
export interface Figure extends Metric {
  readonly scenario: string;
  /** what the scenario's figures mean */
  readonly shows: string;
  readonly metric: string;
  readonly statistics: Statistics;
  readonly samples: readonly number[];
  /** whether the median meets the target */
  readonly met?: boolean;
}

/** The figures of a scenario; metrics without samples have none. */
export function figuresOf({ name, shows, metrics }: Scenario, measured: Samples): Figure[] {
  return Object.entries(metrics).flatMap(([metric, { unit, target }]) => {
    const samples = measured[metric] ?? [];
    if (samples.length === 0) return [];
    const statistics = statisticsOf(samples);
    return {
      scenario: name,
      shows,
      metric,
      unit,
      ...(target === undefined ? {} : { target, met: meets(statistics.median, target) }),
      statistics,
      samples,
    };
  });
}
