import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { displayWidth } from "#cli/output/fit.ts";
import type { Comparison } from "./comparison.ts";
import type { Figure } from "./figure.ts";
import { machineNow } from "./machine.ts";
import { benchFolder } from "./population.ts";
import type { Unit } from "./scenario.ts";

/** Fewer samples have no 95th percentile worth the name. */
const ENOUGH_FOR_P95 = 20;

/** For people: a line for each figure. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ scenario, metric, unit, target, met, statistics, samples }, index) => {
    const { label, show } = spellings[unit];
    const { median, p95, min, max } = statistics;
    return [
      scenario === figures[index - 1]?.scenario ? "" : scenario,
      metric,
      show(median),
      label,
      samples.length === 1 ? "" : `${show(min)} – ${show(max)}`,
      samples.length < ENOUGH_FOR_P95 ? "" : show(p95),
      target === undefined ? "" : "atLeast" in target ? `≥ ${show(target.atLeast)}` : `≤ ${show(target.atMost)}`,
      met === undefined ? "" : met ? "met" : "missed",
    ];
  });
  const lines = [["scenario", "figure", "median", "", "min – max", "p95", "target", ""], ...rows];
  const widths = lines[0]?.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index] ?? "")))) ?? [];
  return lines.map((line) => `${aligned(line, widths)}\n`).join("");
}

/** The columns of numbers. */
const alignedRight: ReadonlySet<number> = new Set([2, 4, 5]);

function aligned(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, index) => {
    const blanks = " ".repeat((widths[index] ?? 0) - displayWidth(cell));
    return alignedRight.has(index) ? blanks + cell : cell + blanks;
  });
  return padded.join("  ").trimEnd();
}

const spellings: Readonly<Record<Unit, { readonly label: string; readonly show: (value: number) => string }>> = {
  bytes: { label: "MB", show: (value) => (value / 1e6).toFixed(0) },
  "bytes each": { label: "B", show: (value) => value.toFixed(0) },
  seconds: { label: "s", show: (value) => value.toFixed(1) },
  milliseconds: { label: "ms", show: (value) => value.toFixed(value < 10 ? 2 : 0) },
  "commands/s": { label: "commands/s", show: (value) => value.toFixed(0) },
  "ms/command": { label: "ms/command", show: (value) => value.toFixed(2) },
  "rows/s": { label: "rows/s", show: (value) => value.toFixed(0) },
  commands: { label: "commands", show: (value) => value.toFixed(0) },
  requests: { label: "requests", show: (value) => value.toFixed(0) },
  runs: { label: "runs", show: (value) => value.toFixed(0) },
  ratio: { label: "×", show: (value) => value.toFixed(value < 2 ? 2 : value < 100 ? 1 : 0) },
};

/** A number as it is shown to people, with its unit. */
export function spelled(value: number, unit: Unit): string {
  const { label, show } = spellings[unit];
  return `${show(value)} ${label}`;
}

/** Data that apply to all figures of a run. */
export interface Run {
  readonly started: Date;
  readonly nodes: number;
  /** the fleet whose history is recorded */
  readonly fleet: { readonly nodes: number; readonly runs: number };
  /** the fleet that is measured for an hour */
  readonly hour: { readonly nodes: number; readonly minutes: number };
  /** the release that Census was compared with */
  readonly peer?: string;
}

/**
 * For machines: writes the figures, all samples, what they were measured on and what changed since an earlier run to a file
 * of its own.
 * @returns its path
 */
export function writeReport(
  { started, nodes, fleet, hour, peer }: Run,
  figures: readonly Figure[],
  comparison: Comparison | undefined,
): string {
  mkdirSync(benchFolder, { recursive: true });
  // Colons are not for file names everywhere.
  const path = join(benchFolder, `${started.toISOString().replaceAll(":", "-")}.json`);
  const report = {
    started,
    seconds: (Date.now() - started.getTime()) / 1000,
    nodes,
    fleet,
    hour,
    machine: machineNow(),
    peer,
    figures,
    comparison,
  };
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);
  return path;
}
