import type { Histogram } from "../query/histogram/result.ts";
import type { NodeStateRow, OutcomeKey } from "../states/node-state.ts";

/**
 * The kinds of issues: `resource`, a resource failed; `catalog`, no catalog could be compiled or fetched; `run`, any other
 * error in the log of a run that failed; `warning`, an error in the log of a run that did not fail.
 */
export const issueKinds = ["resource", "catalog", "run", "warning"] as const;

export type IssueKind = (typeof issueKinds)[number];

/**
 * Whether an issue burns. `resolved`: no node has it in its latest run. `new`: first seen in the last 24 hours. `regressed`: seen
 * again in the last 24 hours, after runs without it and no node had it for as long. `continuing`: any other.
 */
export const issueStates = ["new", "regressed", "continuing", "resolved"] as const;

export type IssueState = (typeof issueStates)[number];

/** The time in which an issue is new, ms. */
export const NEW_FOR_MS = 24 * 3_600_000;

/** A place in the code. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
}

/** Failures with the same identity are one issue. */
export interface IssueIdentity {
  /** `v2-` and 12 hexadecimal digits: of the version of the rules and of the other properties. */
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
  readonly state: IssueState;
  /** The id of all issues with the same message, whatever resource has it. */
  readonly common: string;
  /** Other issues in the time range with the same message. */
  readonly elsewhere: number;
  /** The place in the code, and the class, from the latest report. */
  readonly place: Place | null;
  readonly class: string | null;
  /** Nodes with it in the time range. */
  readonly nodes: number;
  /** Nodes with it in their latest run. */
  readonly still: number;
  /** Whether the node that issues were selected by has it in its latest run; false where they were not. */
  readonly isHere: boolean;
  /** Of the nodes that still have it, those with it for the first time in the last 24 hours. */
  readonly joined: number;
  /** Nodes that had it in the last 24 hours and have not in their latest run. */
  readonly recovered: number;
  readonly events: number;
  readonly environments: readonly string[];
  /** In all stored reports, also outside of the range. */
  readonly first: string;
  readonly last: string;
  /** The latest report within the range. */
  readonly sample: { readonly certname: string; readonly report: string };
  /** Nodes with it in 24 equal parts of the range. */
  readonly spark: readonly number[];
}

export interface Issues {
  /** The version of the rules that fold messages. */
  readonly rules: string;
  /** The number of issues, whether listed or not. */
  readonly total: number;
  /** The number of issues in each state that the other filters select. */
  readonly states: Readonly<Record<IssueState, number>>;
  readonly issues: readonly Issue[];
}

/** A node with an issue. */
export interface IssueNode extends NodeStateRow {
  readonly certname: string;
  readonly environment: string | null;
  /** Whether its latest run has it. */
  readonly still: boolean;
  /** Its first and its latest report with the issue within the range: when each was sent. */
  readonly first: string;
  readonly time: string;
  /** The hash of the latest one. */
  readonly report: string;
}

/** An issue and where it occurs. */
export interface IssueDetail {
  readonly issue: Issue;
  /** The original messages, the most frequent first, at most 200. */
  readonly messages: readonly { readonly message: string; readonly count: number }[];
  /** Those that still have it first, then the latest first; at most 1,000. */
  readonly nodes: readonly IssueNode[];
  /** The latest first, at most 1,000. */
  readonly reports: readonly {
    readonly hash: string;
    readonly certname: string;
    readonly time: string;
    readonly status: OutcomeKey;
  }[];
  /** The first run with it of all that are stored, and the code versions of that run and of the node's run before. */
  readonly begin: {
    readonly certname: string;
    readonly report: string;
    readonly time: string;
    readonly version: string;
    /** Null: no earlier run of the node is stored. */
    readonly versionBefore: string | null;
  };
  /** Reports by outcome. */
  readonly histogram: Histogram;
}

/** The selection of issues in a list. */
export interface IssueFilter {
  readonly kind?: IssueKind;
  readonly state?: IssueState;
  readonly type?: string;
  readonly class?: string;
  /** {@link Issue.common} */
  readonly common?: string;
}

/** Orders of issues: on most nodes still, on most nodes, last or first seen, most events; if equal, by their messages. */
export const issueOrders = ["still", "nodes", "last", "first", "events"] as const;

export type IssueOrder = (typeof issueOrders)[number];
