import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CensusError, messageOf } from "#storage/errors.ts";
import { changesOf, type Comparison, type Measured, RULE, type Change } from "./comparison.ts";
import { type Run, spelled } from "./report.ts";

/** What is compared of the report of a run. */
export interface EarlierReport {
  readonly path: string;
  readonly started: string;
  readonly nodes: number;
  readonly fleet: Run["fleet"];
  readonly hour?: Run["hour"];
  readonly figures: readonly Measured[];
}

/**
 * The report that a run is to be compared with.
 * @param which its path, or `last`: the newest of the folder that was measured with as many nodes and has such a scenario
 * @returns undefined for `last` where there is none
 * @throws CensusError when it cannot be read, or was measured with another number of nodes
 */
export function earlierReport(
  which: string,
  { nodes, scenarios, folder }: { nodes: number; scenarios: ReadonlySet<string>; folder: string },
): EarlierReport | undefined {
  if (which === "last") {
    const newestFirst = globSync("*.json", { cwd: folder }).sort().reverse();
    const reports = newestFirst.map((name) => readReport(join(folder, name)));
    return reports.find(
      (report) => report.nodes === nodes && report.figures.some(({ scenario }) => scenarios.has(scenario)),
    );
  }
  const report = readReport(which);
  if (report.nodes === nodes) return report;
  throw new CensusError(
    "bad-input",
    `--compare ${which}: measured with ${report.nodes} nodes, this run is of ${nodes}; --nodes ${report.nodes} would fit`,
  );
}

function readReport(path: string): EarlierReport {
  try {
    return { ...(JSON.parse(readFileSync(path, "utf8")) as Omit<EarlierReport, "path">), path };
  } catch (error) {
    throw new CensusError("bad-file", `${path}: not the report of a run: ${messageOf(error)}`, { cause: error });
  }
}

/** What changed since an earlier run; fleets are compared only where they are the same. */
export function compareWith(
  earlier: EarlierReport,
  figures: readonly Measured[],
  { fleet, hour }: Pick<Run, "fleet" | "hour">,
): Comparison {
  const sameFleet = earlier.fleet.nodes === fleet.nodes && earlier.fleet.runs === fleet.runs;
  const sameHour = earlier.hour?.nodes === hour.nodes && earlier.hour.minutes === hour.minutes;
  const compared = figures.filter(({ scenario }) =>
    scenario === "fleet-hour" ? sameHour : sameFleet || !scenario.startsWith("fleet-"),
  );
  const both = compared.filter((figure) => earlier.figures.some((old) => isSame(old, figure)));
  return { with: earlier.path, rule: RULE, compared: both.length, changes: changesOf(earlier.figures, both) };
}

function isSame(one: Measured, other: Measured): boolean {
  return one.scenario === other.scenario && one.metric === other.metric;
}

/** For people: what got worse, then what got better, a line each. */
export function comparisonText({ with: path, rule, compared, changes }: Comparison, earlier: EarlierReport): string {
  const heading = `${compared} figures compared with ${path} of ${earlier.started.slice(0, 16)}: `;
  const lines = (["worse", "better"] as const).flatMap((verdict) =>
    changes.filter((change) => change.verdict === verdict).map(lineOf),
  );
  if (lines.length === 0) return `${heading}none changed by more than the noise (${rule})`;
  const worse = changes.filter(({ verdict }) => verdict === "worse").length;
  return [`${heading}${worse} worse, ${lines.length - worse} better (${rule})`, ...lines].join("\n");
}

function lineOf({ scenario, metric, unit, verdict, before, after, noise }: Change): string {
  const difference = before === 0 ? "" : ` (${after > before ? "+" : ""}${((after / before - 1) * 100).toFixed(0)}%)`;
  return (
    `${verdict.padEnd(8)}${scenario}, ${metric}: ${spelled(before, unit)} → ${spelled(after, unit)}${difference}, ` +
    `noise ${spelled(noise, unit)}`
  );
}
