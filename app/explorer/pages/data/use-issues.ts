import type { TimeRange } from "../time/span.ts";
import { type Loaded, useData } from "./use-data.ts";

/** One issue as `/explorer/api/v1/issues` answers it: the same failure on any number of nodes. */
export interface Issue {
  readonly id: string;
  /** `resource`: one failed; `catalog`: none could be compiled; `run`: the run failed; `hidden`: behind a cached catalog. */
  readonly kind: "resource" | "catalog" | "run" | "hidden";
  readonly type: string | null;
  readonly title: string | null;
  /** With what differs between nodes folded: `<node>`, `<hash>`, `<n>`. */
  readonly message: string;
  readonly place: { readonly file: string; readonly line: number | null } | null;
  readonly class: string | null;
  readonly nodes: number;
  readonly events: number;
  readonly environments: readonly string[];
  readonly first: string;
  readonly last: string;
  /** First seen within the time range. */
  readonly isNew: boolean;
  readonly sample: { readonly certname: string; readonly report: string };
  /** Events in 24 equal parts of the time range. */
  readonly spark: readonly number[];
}

export interface Issues {
  readonly revision: number;
  readonly rules: string;
  /** Whether all reports that are kept have been read; until then `first` may be too late. */
  readonly isComplete: boolean;
  readonly total: number;
  readonly issues: readonly Issue[];
}

export interface IssuesRequest {
  readonly name: string;
  readonly range: TimeRange;
  readonly environment?: string | undefined;
  readonly certname?: string;
  /** Only issues of resources in this class. */
  readonly class?: string;
  readonly limit?: number;
}

/** Parameters of a time range for endpoints of the explorer. */
export function rangeParameters({ last, from, to }: TimeRange): Record<string, string | undefined> {
  return last === undefined ? { from: from.toISOString(), to: to.toISOString() } : { last };
}

/** Failures, grouped. */
export function useIssues({
  name,
  range,
  environment,
  certname,
  class: className,
  limit,
}: IssuesRequest): Loaded<Issues> {
  return useData<Issues>({
    name,
    pql: 'events[resource_type, resource_title, message, count()]{ status = "failure" and latest_report? = true group by resource_type, resource_title, message }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    path: "/explorer/api/v1/issues",
    parameters: { ...rangeParameters(range), env: environment, certname, class: className, limit },
  });
}
