import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { type Metric, runTime } from "#storage/display/run-time.ts";
import { cellText } from "#storage/output/cells.ts";
import { pqlText } from "./pql.ts";
import type { ShortForm } from "./run.ts";

/** Types of resources by the time that the latest runs spent on them. */
export function slowestForm(limit: number | undefined): ShortForm {
  const text = pqlText({ entity: "reports", fields: ["certname", "metrics"], conditions: ["latest_report? = true"] });
  return { name: "resources", query: () => text, fold: { rows: slowestFirst, limit } };
}

/** The runs that had resources of a type. */
interface Runs {
  readonly count: number;
  readonly seconds: number;
  /** The longest of them, and where. */
  readonly longest: number;
  readonly certname: Json;
}

const none: Runs = { count: 0, seconds: 0, longest: 0, certname: null };

function slowestFirst(reports: readonly JsonObject[]): JsonObject[] {
  const byType = new Map<string, Runs>();
  for (const { certname = null, metrics = null } of reports) {
    for (const { name, seconds } of runTime(metricsIn(metrics)).types) {
      const before = byType.get(name) ?? none;
      const slowest = seconds > before.longest ? { longest: seconds, certname } : {};
      byType.set(name, { ...before, ...slowest, count: before.count + 1, seconds: before.seconds + seconds });
    }
  }
  return [...byType]
    .toSorted(([, one], [, other]) => other.seconds - one.seconds)
    .map(([type, { count, seconds, longest, certname }]) => ({
      type,
      seconds: tenths(seconds),
      runs: count,
      mean: tenths(seconds / count),
      longest: tenths(longest),
      certname,
    }));
}

function metricsIn(metrics: Json): Metric[] {
  const data = isObject(metrics) && Array.isArray(metrics["data"]) ? metrics["data"] : [];
  return data.flatMap((metric) => {
    if (!isObject(metric)) return [];
    const { category, name, value = null } = metric;
    return [{ category: cellText(category), name: cellText(name), value }];
  });
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
