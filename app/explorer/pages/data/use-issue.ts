import type { TimeRange } from "../time/span.ts";
import { type Loaded, useData } from "./use-data.ts";
import type { Histogram } from "./use-histogram.ts";
import { type Issue, rangeParameters } from "./use-issues.ts";

/** What `/explorer/api/v1/issues/<id>` answers: one issue and where it occurs. Times are ISO texts. */
export interface IssueDetail {
  readonly revision: number;
  /** Whether all reports that are kept have been read; until then `first` may be too late. */
  readonly isComplete: boolean;
  readonly issue: Issue;
  /** The messages that the issue joins, as they were sent; of the latest reports, at most 200. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
  /** Nodes with their last report that has it, the latest first, at most 1,000. */
  readonly nodes: readonly {
    readonly certname: string;
    readonly environment: string | null;
    readonly report: string;
    readonly time: string;
  }[];
  /** In the time range, the latest first, at most 1,000. */
  readonly reports: readonly {
    readonly hash: string;
    readonly certname: string;
    readonly time: string;
    readonly status: string | null;
  }[];
  readonly histogram: Histogram;
}

/** One issue. */
export function useIssue(
  id: string,
  { range, environment }: { readonly range: TimeRange; readonly environment: string | undefined },
): Loaded<IssueDetail> {
  return useData<IssueDetail>({
    name: "The issue",
    pql: 'events{ status = "failure" and latest_report? = true }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    path: `/explorer/api/v1/issues/${encodeURIComponent(id)}`,
    parameters: { ...rangeParameters(range), env: environment },
  });
}
