import { FEWEST_CHANGES, statusChanges } from "#storage/display/flapping.ts";
import { type OutcomeRow, outcomeOf } from "#storage/states/node-state.ts";
import type { StateKey } from "../state/states.ts";

/** A run of a node. */
export interface NodeRun extends OutcomeRow {
  readonly certname: string;
  readonly hash: string;
  readonly end_time: string | null;
}

/** The number of runs of a node with a status. */
export interface RunCount {
  readonly certname: string;
  readonly status: string | null;
  readonly count: number;
}

/** The runs of a node that ended within one column of time. */
export interface HeatCell {
  /** The worst state of these runs. */
  readonly state: StateKey;
  /** Of the newest run with that state. */
  readonly hash: string;
  readonly runs: number;
}

/** The runs of a node over time. */
export interface HeatRow {
  readonly certname: string;
  /** Changes between failing and not. */
  readonly changes: number;
  readonly failed: number;
  readonly runs: number;
  /** One for each column; undefined where no run ended. */
  readonly cells: readonly (HeatCell | undefined)[];
}

/** Columns of time: when each begins, and their common width in ms. */
export interface HeatColumns {
  readonly begins: readonly Date[];
  readonly width: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const widths = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const MOST_COLUMNS = 28;
/** Rows of the picture, and runs that are fetched for them. */
const MOST_NODES = 50;
const MOST_RUNS = 6000;

/** The worst first. */
const severity: readonly StateKey[] = ["failed", "hidden", "corrective", "changed", "pending", "unchanged"];

/** Columns that cover a range, at most 28. Each begins at a whole multiple of its width, as hours and days of UTC do. */
export function heatColumns(from: Date, to: Date): HeatColumns {
  const span = to.getTime() - from.getTime();
  const day = 24 * HOUR;
  const width =
    widths.find((one) => span / one <= MOST_COLUMNS - 1) ?? Math.ceil(span / day / (MOST_COLUMNS - 1)) * day;
  const first = Math.floor(from.getTime() / width) * width;
  const count = Math.floor((to.getTime() - first) / width) + 1;
  return { width, begins: Array.from({ length: count }, (_, at) => new Date(first + at * width)) };
}

/**
 * The nodes to show: those first that may have changed most often between failing and not, then those that failed most often;
 * as many as have a bounded number of runs.
 */
export function nodesToShow(counts: readonly RunCount[]): { readonly shown: readonly string[]; readonly all: number } {
  const nodes = new Map<string, { failed: number; others: number }>();
  for (const { certname, status, count } of counts) {
    const node = nodes.get(certname) ?? { failed: 0, others: 0 };
    if (status === "failed") node.failed += count;
    else node.others += count;
    nodes.set(certname, node);
  }
  const sorted = [...nodes].sort(
    ([a, one], [b, other]) =>
      Math.min(other.failed, other.others) - Math.min(one.failed, one.others) ||
      other.failed - one.failed ||
      (a < b ? -1 : 1),
  );
  let runs = 0;
  const shown = sorted.slice(0, MOST_NODES).flatMap(([certname, { failed, others }], at) => {
    runs += failed + others;
    return at === 0 || runs <= MOST_RUNS ? [certname] : [];
  });
  return { shown, all: nodes.size };
}

/**
 * The rows: nodes that flap first, those with most changes before others, as `census reports --flapping` lists them; then those
 * that failed most often.
 * @param runs of any nodes, those of each node the oldest first
 */
export function heatRows(runs: readonly NodeRun[], { begins, width }: HeatColumns): HeatRow[] {
  const first = begins[0]?.getTime() ?? 0;
  const byNode = Map.groupBy(runs, ({ certname }) => certname);
  const rows = [...byNode].map(([certname, own]): HeatRow => {
    const cells: (HeatCell | undefined)[] = begins.map(() => undefined);
    for (const run of own) {
      const at = Math.floor((Date.parse(run.end_time ?? "") - first) / width);
      if (!(at in cells)) continue;
      const state = outcomeOf(run);
      const before = cells[at];
      const isWorst = before === undefined || severity.indexOf(state) <= severity.indexOf(before.state);
      cells[at] = {
        ...(isWorst ? { state, hash: run.hash } : { state: before.state, hash: before.hash }),
        runs: (before?.runs ?? 0) + 1,
      };
    }
    return {
      certname,
      changes: statusChanges(own.map(({ status }) => status)),
      failed: own.filter(({ status }) => status === "failed").length,
      runs: own.length,
      cells,
    };
  });
  return rows.sort(
    (one, other) =>
      Number(isFlapping(other)) - Number(isFlapping(one)) ||
      (isFlapping(one) ? other.changes - one.changes : 0) ||
      other.failed - one.failed ||
      (one.certname < other.certname ? -1 : 1),
  );
}

/** Whether a node failed and recovered in turn. */
export function isFlapping({ changes }: HeatRow): boolean {
  return changes >= FEWEST_CHANGES;
}
