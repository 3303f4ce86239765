import type { Retention } from "#storage/lifecycle/retention.ts";
import type { PopulationCommand } from "./population.ts";
import type { Recording } from "./recording.ts";

/** A recorded population and the recorded answers about it. */
export interface World {
  /** the point in time, ISO 8601, at which the population is looked at: it decides which nodes are active */
  readonly now: string;
  /** how long the server keeps things; what is absent is as a server does by default */
  readonly retention?: Partial<Retention>;
  readonly population: readonly PopulationCommand[];
  readonly recordings: readonly Recording[];
}
