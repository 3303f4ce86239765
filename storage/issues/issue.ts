import type { Histogram } from "../query/histogram/result.ts";

/**
 * What fails: `resource`, one that could not be brought into its state; `catalog`, none could be compiled; `run`, anything else
 * that a failed run logged; `hidden`, what the run of a cached catalog logged that itself did not fail.
 */
export const issueKinds = ["resource", "catalog", "run", "hidden"] as const;

export type IssueKind = (typeof issueKinds)[number];

/** A place in the code. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
}

/** Failures with the same identity are one issue. */
export interface IssueIdentity {
  /** `v1-` and 12 hexadecimal digits. */
  readonly id: string;
  readonly kind: IssueKind;
  readonly type: string | null;
  /** Folded. */
  readonly title: string | null;
  /** Folded. */
  readonly message: string;
}

/** The same failure on any number of nodes, within a time range. Times are ISO texts. */
export interface Issue extends IssueIdentity {
  /** Where the code is, and the class, as the latest report says. */
  readonly place: Place | null;
  readonly class: string | null;
  readonly nodes: number;
  readonly events: number;
  readonly environments: readonly string[];
  /** Of all reports that are kept, also outside of the range. */
  readonly first: string;
  readonly last: string;
  /** First seen within the range. False as long as older reports have not been read. */
  readonly isNew: boolean;
  /** The latest report within the range. */
  readonly sample: { readonly certname: string; readonly report: string };
  /** Events in 24 equal parts of the range. */
  readonly spark: readonly number[];
}

export interface Issues {
  /** The version of the rules that fold messages. */
  readonly rules: string;
  /** Whether all reports that are kept have been read: until then an issue may have been seen earlier than `first`. */
  readonly isComplete: boolean;
  /** Issues, whether listed or not. */
  readonly total: number;
  readonly issues: readonly Issue[];
}

/** An issue and where it occurs. */
export interface IssueDetail {
  readonly isComplete: boolean;
  readonly issue: Issue;
  /** As they were sent, the most frequent first, at most 200; of the latest reports. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
  /** Each with its latest report, the latest first, at most 1,000. */
  readonly nodes: readonly {
    readonly certname: string;
    readonly environment: string | null;
    readonly report: string;
    readonly time: string;
  }[];
  /** The latest first, at most 1,000. */
  readonly reports: readonly {
    readonly hash: string;
    readonly certname: string;
    readonly time: string;
    readonly status: string;
  }[];
  /** Reports by outcome. */
  readonly histogram: Histogram;
}

/** Which failures are looked at. */
export interface IssueScope {
  /** Milliseconds since the epoch; `to` does not belong to it. */
  readonly from: number;
  readonly to: number;
  readonly environment?: string;
  /** The numbers of nodes; absent: any. */
  readonly nodes?: ReadonlySet<number>;
  /** Reports of plans count as well. */
  readonly everyReportType: boolean;
}

/** Which issues are listed. */
export interface IssueFilter {
  readonly kind?: IssueKind;
  readonly type?: string;
  readonly class?: string;
}

/** Ways to order issues: most nodes, last or first seen, most events; among equals by their messages. */
export const issueOrders = ["nodes", "last", "first", "events"] as const;

export type IssueOrder = (typeof issueOrders)[number];
