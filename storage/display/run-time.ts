import { isNumber, type Json, numberText } from "../json.ts";

/** A number that the agent measured in a run. */
export interface Metric {
  readonly category: string;
  readonly name: string;
  readonly value: Json;
}

/** A part of a run's duration. Seconds. */
export interface TimePart {
  readonly name: string;
  readonly seconds: number;
}

/** Where the time of a run went. */
export interface RunTime {
  /** Steps one after the other: fact generation, catalog retrieval, application. */
  readonly steps: readonly TimePart[];
  /** Evaluation of resources by type, longest first. */
  readonly types: readonly TimePart[];
}

/** Metrics that are steps of the run, in their order. Others are types of resources. */
const steps: readonly (readonly [metric: string, name: string])[] = [
  ["startup_time", "start-up"],
  ["plugin_sync", "plugin synchronization"],
  ["fact_generation", "fact generation"],
  ["node_retrieval", "node retrieval"],
  ["config_retrieval", "catalog retrieval"],
  ["convert_catalog", "catalog conversion"],
  ["catalog_application", "catalog application"],
];

/** They contain others, or are contained in them. */
const sums: readonly string[] = ["total", "transaction_evaluation"];

/** The metrics of category `time` that are no types of resources. */
export const notTypes: readonly string[] = [...steps.map(([metric]) => metric), ...sums];

/** Splits the metrics of category `time`. */
export function runTime(metrics: readonly Metric[]): RunTime {
  const times = new Map(
    metrics.flatMap(({ category, name, value }) => {
      const seconds = isNumber(value) ? Number(numberText(value)) : Number.NaN;
      return category === "time" && Number.isFinite(seconds) && seconds >= 0 ? [[name, seconds] as const] : [];
    }),
  );
  return {
    steps: steps.flatMap(([metric, name]) => {
      const seconds = times.get(metric);
      return seconds === undefined ? [] : [{ name, seconds }];
    }),
    types: [...times]
      .filter(([name]) => !notTypes.includes(name))
      .map(([name, seconds]) => ({ name, seconds }))
      .sort((one, other) => other.seconds - one.seconds),
  };
}

/** What a node is compared by: its last runs, and at least how many are before them. */
export const RECENT_RUNS = 5;
export const EARLIER_RUNS = 5;

/** Its last runs are longer when they take this many times as long as those before, and this many seconds more. */
export const LONGER_FACTOR = 1.5;
export const LONGER_SECONDS = 10;

/** The same for those who read the list. */
export const longerRule = `The median of a node's last ${RECENT_RUNS} runs is at least ${LONGER_FACTOR} times that of its earlier runs, at least ${EARLIER_RUNS} of them, and ${LONGER_SECONDS} s more.`;
