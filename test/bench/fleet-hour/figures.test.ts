import { expect, it } from "vitest";
import { hourMetrics, hourSamples, type Measured } from "./figures.ts";
import type { LatencySummary } from "./latencies.ts";
import { expectedOperations } from "./maintenance.ts";

const hour = { nodes: 600, minutes: 1 };

function summary(p99: number, slowest: number): LatencySummary {
  return { count: 10, median: p99 / 2, p99, slowest, byInterval: [] };
}

const measured: Measured = {
  agents: {
    accepted: 50,
    inTime: 48,
    refused: 3,
    refusal: undefined,
    acknowledged: summary(5, 70),
    waiting: [100, null, 2500, 300],
    late: 2,
    processor: 1,
  },
  dashboards: {
    latencies: { selective: summary(40, 90), "whole-fleet": summary(400, 1500) },
    byName: {},
    failed: 1,
    failure: undefined,
    late: 4,
    processor: 1,
  },
  sizes: { memory: [1, 2], files: [100, 200, null, 190, 210, 150], processor: 0.25 },
  maintenance: [
    ...expectedOperations.map((operation) => ({ operation, end: 0, duration: 300, hasFailed: false })),
    { operation: "gc_catalogs", end: 0, duration: 7000, hasFailed: true },
  ],
  discarded: 2,
  peakMemory: 5e8,
};

it("has a number for each figure", () => {
  const samples = hourSamples(hour, measured);
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(hourMetrics(hour)).toSorted());
  expect(samples).toMatchObject({
    commands: [0.8],
    "commands refused or discarded": [5],
    "acknowledged, slowest": [70],
    "longest wait until stored": [2500],
    "queries, slowest": [1500],
    "files, peak": [210],
    "files, growth": [1.05],
    "processor time": [5],
    "maintenance, runs": [expectedOperations.length],
    "maintenance, fewest of an operation": [1],
    "maintenance, failed": [1],
    "maintenance, longest": [7],
    "sent late, 99th percentile": [4],
  });
});

it("reports an operation that has not run, and leaves out what the system does not report", () => {
  const maintenance = measured.maintenance.filter(({ operation }) => operation !== "compaction");
  const sizes = { ...measured.sizes, processor: undefined };
  const samples = hourSamples(hour, { ...measured, sizes, maintenance, peakMemory: undefined });
  expect(samples["maintenance, fewest of an operation"]).toEqual([0]);
  expect(samples).not.toHaveProperty("resident memory, peak");
  expect(samples).not.toHaveProperty("processor time");
});

it("expects nearly all commands of a run every half hour", () => {
  expect(hourMetrics({ nodes: 100_000, minutes: 60 })["commands"]?.target).toEqual({ atLeast: 165 });
});
