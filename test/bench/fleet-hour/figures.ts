import type { AgentsOutput } from "../children/agents.ts";
import type { DashboardsOutput } from "../children/dashboards.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { greatest } from "./latencies.ts";
import { type MaintenanceRun, runsByOperation } from "./maintenance.ts";
import { commandsPerSecond, durationOf, type Hour } from "./plan.ts";
import type { Sizes } from "./watch.ts";

/** The part of the commands that has to be accepted in time. */
const REACHED = 0.99;

/** Everything that was measured in the hour. */
export interface Measured {
  readonly agents: AgentsOutput;
  readonly dashboards: DashboardsOutput;
  readonly sizes: Sizes;
  readonly maintenance: readonly MaintenanceRun[];
  /** commands that were acknowledged and could not be stored */
  readonly discarded: number;
  /** the most resident memory of the server since its start, in bytes */
  readonly peakMemory: number | undefined;
}

/** The figures; those that people feel have limits. */
export function hourMetrics(hour: Hour): Scenario["metrics"] {
  return {
    commands: { unit: "commands/s", target: { atLeast: REACHED * commandsPerSecond(hour) } },
    "commands refused or discarded": { unit: "commands" },
    "acknowledged, 99th percentile": { unit: "milliseconds", target: { atMost: 50 } },
    "acknowledged, slowest": { unit: "milliseconds" },
    "longest wait until stored": { unit: "milliseconds" },
    "selective queries, median": { unit: "milliseconds" },
    "selective queries, 99th percentile": { unit: "milliseconds" },
    "whole-fleet queries, median": { unit: "milliseconds" },
    "whole-fleet queries, 99th percentile": { unit: "milliseconds", target: { atMost: 1000 } },
    "queries, slowest": { unit: "milliseconds" },
    "queries failed": { unit: "requests" },
    "resident memory, peak": { unit: "bytes" },
    "files, peak": { unit: "bytes" },
    "files, growth": { unit: "ratio" },
    "processor time": { unit: "ms/command" },
    "maintenance, runs": { unit: "runs" },
    "maintenance, fewest of an operation": { unit: "runs" },
    "maintenance, failed": { unit: "runs" },
    "maintenance, longest": { unit: "seconds" },
    "sent late, 99th percentile": { unit: "milliseconds" },
  };
}

/** One number for each figure. */
export function hourSamples(hour: Hour, measured: Measured): Samples {
  const { agents, dashboards, sizes, maintenance, discarded, peakMemory } = measured;
  const { selective, "whole-fleet": wholeFleet } = dashboards.latencies;
  const figures: Record<string, number | undefined> = {
    commands: agents.inTime / (durationOf(hour) / 1000),
    "commands refused or discarded": agents.refused + discarded,
    "acknowledged, 99th percentile": agents.acknowledged.p99,
    "acknowledged, slowest": agents.acknowledged.slowest,
    "longest wait until stored": greatest(agents.waiting),
    "selective queries, median": selective.median,
    "selective queries, 99th percentile": selective.p99,
    "whole-fleet queries, median": wholeFleet.median,
    "whole-fleet queries, 99th percentile": wholeFleet.p99,
    "queries, slowest": Math.max(selective.slowest, wholeFleet.slowest),
    "queries failed": dashboards.failed,
    "resident memory, peak": peakMemory,
    "files, peak": greatest(sizes.files),
    "files, growth": growthOf(sizes.files),
    "processor time": sizes.processor === undefined ? undefined : (sizes.processor * 1000) / agents.accepted,
    "maintenance, runs": maintenance.filter(({ hasFailed }) => !hasFailed).length,
    "maintenance, fewest of an operation": Math.min(...runsByOperation(maintenance).values()),
    "maintenance, failed": maintenance.filter(({ hasFailed }) => hasFailed).length,
    "maintenance, longest": greatest(maintenance.map(({ duration }) => duration)) / 1000,
    "sent late, 99th percentile": Math.max(agents.late, dashboards.late),
  };
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]] as const])),
  );
}

/** By how many times the peak of the second half is that of the first; undefined: that is unknown. */
function growthOf(sizes: readonly (number | null)[]): number | undefined {
  const half = Math.floor(sizes.length / 2);
  const first = greatest(sizes.slice(0, half));
  return first === 0 ? undefined : greatest(sizes.slice(half)) / first;
}
