import type { Histogram } from "../query/histogram/histogram.ts";
import type { IssueIdentity, IssueKind, Place } from "./failures.ts";

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
  /** As they were sent, the most frequent first; of the latest reports. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
  /** Each with its latest report, the latest first. */
  readonly nodes: readonly {
    readonly certname: string;
    readonly environment: string | null;
    readonly report: string;
    readonly time: string;
  }[];
  /** The latest first. */
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
