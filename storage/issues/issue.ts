import type { Histogram } from "../query/histogram/result.ts";

/**
 * The kinds of issues: `resource`, a resource failed; `catalog`, no catalog could be compiled; `run`, any other error
 * in the log of a failed run; `hidden`, an error in the log of a run that did not fail itself because it used a cached
 * catalog.
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
  /** The place in the code, and the class, from the latest report. */
  readonly place: Place | null;
  readonly class: string | null;
  readonly nodes: number;
  readonly events: number;
  readonly environments: readonly string[];
  /** In all stored reports, also outside of the range. */
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
  /** Whether all stored reports have been read: until then an issue may have been seen earlier than `first`. */
  readonly isComplete: boolean;
  /** The number of issues, whether listed or not. */
  readonly total: number;
  readonly issues: readonly Issue[];
}

/** An issue and where it occurs. */
export interface IssueDetail {
  readonly isComplete: boolean;
  readonly issue: Issue;
  /** The original messages, the most frequent first, at most 200; of the latest reports. */
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

/** The selection of failures. */
export interface IssueScope {
  /** Milliseconds since the epoch; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  readonly environment?: string;
  /** The numbers of nodes; absent: any. */
  readonly nodes?: ReadonlySet<number>;
  /** Reports of plans count as well. */
  readonly everyReportType: boolean;
  /** Reports that were sent later do not count; absent: all do. */
  readonly until?: number;
}

/** The selection of issues in a list. */
export interface IssueFilter {
  readonly kind?: IssueKind;
  readonly type?: string;
  readonly class?: string;
}

/** Orders of issues: most nodes, last or first seen, most events; if equal, by their messages. */
export const issueOrders = ["nodes", "last", "first", "events"] as const;

export type IssueOrder = (typeof issueOrders)[number];
