import { bucketStarts, widthOf } from "../query/histogram/buckets.ts";
import type { Histogram } from "../query/histogram/result.ts";
import type { Zone } from "../time/zone.ts";
import { failuresOf, Identities } from "./failures.ts";
import type { IssueDetail, IssueScope } from "./issue.ts";
import { type KnownFailures, outcomes, type Visit } from "./known-failures.ts";
import type { StoredFailure } from "./read.ts";
import { isInScope } from "./summary.ts";

/** Maximum nodes, and reports, in the list. */
const MOST_LISTED = 1000;

/** Maximum messages in the list. */
const MOST_MESSAGES = 200;

/** Buckets of the histogram. */
const BUCKETS = 60;

/** The reports of an issue within the range, the latest first. */
export function reportsWith(known: KnownFailures, scope: IssueScope, number: number): Visit[] {
  const found: Visit[] = [];
  for (let index = 0; index < known.reports; index++) {
    const visit = known.visit(index);
    if (visit.time < scope.from || visit.time >= scope.to || !isInScope(visit, scope)) continue;
    let has = false;
    known.eachFailure(index, (issue) => (has ||= issue === number));
    if (has) found.push(visit);
  }
  return found.sort((a, b) => b.time - a.time || b.index - a.index);
}

/** Nodes, reports and the histogram of an issue. */
export function occurrences(
  known: KnownFailures,
  scope: IssueScope,
  visits: readonly Visit[],
  zone: Zone,
): Pick<IssueDetail, "nodes" | "reports" | "histogram"> {
  const latest = new Map<number, Visit>();
  for (const visit of visits) if (!latest.has(visit.node)) latest.set(visit.node, visit);
  return {
    nodes: [...latest.values()].slice(0, MOST_LISTED).map(({ index, node, environment, time }) => ({
      certname: known.certname(node),
      environment,
      report: known.hash(index),
      time: new Date(time).toISOString(),
    })),
    reports: visits.slice(0, MOST_LISTED).map(({ index, node, time }) => ({
      hash: known.hash(index),
      certname: known.certname(node),
      time: new Date(time).toISOString(),
      status: known.outcome(index),
    })),
    histogram: histogramOf(known, scope, visits, zone),
  };
}

function histogramOf(known: KnownFailures, scope: IssueScope, visits: readonly Visit[], zone: Zone): Histogram {
  const width = widthOf(scope, BUCKETS);
  const starts = bucketStarts(scope, width, zone);
  const found = new Set(visits.map(({ index }) => known.outcome(index)));
  const series = outcomes.filter((outcome) => outcome === "failed" || outcome === "hidden" || found.has(outcome));
  const buckets = starts.map((start): [string, ...number[]] => [new Date(start).toISOString(), ...series.map(() => 0)]);
  let place = starts.length - 1;
  // From the latest to the earliest.
  for (const { index, time } of visits) {
    while (place > 0 && (starts[place] ?? 0) > time) place--;
    const bucket = buckets[place];
    const column = series.indexOf(known.outcome(index)) + 1;
    if (bucket !== undefined) bucket[column] = Number(bucket[column] ?? 0) + 1;
  }
  return { width: width.seconds, unit: width.name, series, buckets };
}

/** The original messages of an issue with their counts, the most frequent first. */
export class Messages {
  readonly #id: string;
  readonly #counts = new Map<string, number>();
  readonly #identities = new Identities();

  constructor(id: string) {
    this.#id = id;
  }

  add(report: StoredFailure): void {
    for (const failure of failuresOf(report)) {
      if (this.#identities.of(failure, report.certname).id !== this.#id) continue;
      this.#counts.set(failure.message, (this.#counts.get(failure.message) ?? 0) + failure.count);
    }
  }

  list(): IssueDetail["messages"] {
    return [...this.#counts]
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, MOST_MESSAGES)
      .map(([message, count]) => ({ message, count }));
  }
}
