import type { Histogram } from "../query/histogram/result.ts";
import {
  count,
  type Described,
  list,
  loose,
  moment,
  number,
  object,
  oneOf,
  orNull,
  type Shaped,
  text,
  truth,
} from "../shape.ts";
import type { OutcomeKey } from "../states/node-state.ts";

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

const place = object({ file: text(), line: orNull(number()) });

/** A place in the code. */
export type Place = Shaped<typeof place>;

const id = loose<string>({ type: "string", pattern: "^v\\d+-[\\da-f]{12}$" });

const identity = {
  /** Of the version of the rules and of the other properties. */
  id,
  kind: oneOf(issueKinds),
  type: orNull(text()),
  title: orNull(text("Folded")),
  message: text("Folded: what differs between nodes and runs is `<node>`, `<n>` and so on"),
};

/** Failures with the same identity are one issue. */
export type IssueIdentity = Described<typeof identity>;

const issue = object({
  ...identity,
  state: oneOf(
    issueStates,
    "`resolved`: no node has it in its latest run; `new`: first seen in the last 24 hours; `regressed`: seen again in the last 24 " +
      "hours after no node had it for as long; `continuing`: any other",
  ),
  common: loose<string>({ ...id, description: "The same for issues with the same message, whatever resource has it" }),
  elsewhere: count("Other issues in the time range with the same message"),
  place: orNull(loose<Place>({ ...place, description: "Of the latest report, as the class" })),
  class: orNull(text()),
  nodes: count("Nodes with it in the time range"),
  still: count("Nodes with it in their latest run"),
  isHere: truth("Whether the node `certname` has it in its latest run; false where it is not given"),
  joined: count("Of these, nodes with it for the first time in the last 24 hours"),
  recovered: count("Nodes with it in the last 24 hours, but not in their latest run"),
  events: count(),
  environments: list(text()),
  first: moment("Of all reports that are kept"),
  last: moment("Of all reports that are kept"),
  sample: object({ certname: text(), report: text() }, "The latest report within the range"),
  spark: list(count(), "Nodes with it in 24 equal parts of the time range"),
});

/** The same failure on any number of nodes, within a time range. */
export type Issue = Shaped<typeof issue>;

/** Issues, listed. */
export const issuesShape = object({
  rules: text("The version of the rules that fold messages"),
  total: count("Issues, whether listed or not"),
  states: loose<Readonly<Record<IssueState, number>>>({
    type: "object",
    additionalProperties: count(),
    required: issueStates,
    description: "Issues in each state that the other parameters select",
  }),
  issues: list(issue),
});

export type Issues = Shaped<typeof issuesShape>;

const node = object({
  certname: text(),
  environment: orNull(text()),
  still: truth("Whether its latest run has the issue"),
  first: moment("Its first report with the issue within the range"),
  time: moment("Its latest report with the issue within the range"),
  report: text("The hash of the latter"),
  report_timestamp: orNull(moment("Of its latest run, as the fields below")),
  report_due: orNull(moment()),
  latest_report_status: orNull(text()),
  latest_report_corrective_change: orNull(truth()),
  latest_report_noop_pending: orNull(truth()),
  cached_catalog_status: orNull(text()),
});

/** A node with an issue. */
export type IssueNode = Shaped<typeof node>;

/** An issue and where it occurs. */
export const issueDetailShape = object({
  issue,
  messages: list(
    object({ message: text(), count: count() }),
    "As they were sent, the most frequent first, at most 200",
  ),
  nodes: list(node, "Those that still have it first, then the latest first; at most 1,000"),
  reports: list(
    object({ hash: text(), certname: text(), time: moment(), status: loose<OutcomeKey>({ type: "string" }) }),
    "The latest first, at most 1,000",
  ),
  begin: object(
    { certname: text(), report: text(), time: moment(), version: text(), versionBefore: orNull(text()) },
    "The first run with it of all that are kept, its code version, and that of the node's run before",
  ),
  histogram: loose<Histogram>({ type: "object", description: "Reports by outcome, as of `histogram`" }),
});

export type IssueDetail = Shaped<typeof issueDetailShape>;

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
