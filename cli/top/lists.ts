import { oneLine, shortFailure } from "#storage/display/short-failure.ts";
import { shortFile } from "#storage/display/short-file.ts";
import { formatDuration, formatSpan } from "#storage/display/spans.ts";
import { stateLabels } from "#storage/display/states.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { type StateKey, stateKeys } from "#storage/query/node-states.ts";
import { textOf } from "../node/failures.ts";
import { nodePage } from "../node/page.ts";
import { stateOfWord, stateText } from "../output/states.ts";
import { treeLines } from "../output/tree.ts";
import type { Fleet, FleetNode, Issue, Since } from "./fleet.ts";
import type { List, ListColumn, ListRow } from "./list.ts";
import type { State } from "./state.ts";

/** The states in the order of their importance to somebody who looks for what is broken. */
export const importantFirst: readonly StateKey[] = [
  "failed",
  "hidden",
  "silent",
  "corrective",
  "pending",
  "changed",
  "unchanged",
  "never",
];

/** The time since an event, as a cell shows it: `3 h`, `>2 d` where it may be longer. */
export function ageText(time: string | null, now: Date, isOldest = false): string {
  const seconds = time === null ? Number.NaN : (now.getTime() - new Date(time).getTime()) / 1000;
  return Number.isNaN(seconds) ? "–" : `${isOldest ? ">" : ""}${formatSpan(Math.max(0, seconds))}`;
}

function sinceText(since: Since | null, now: Date): string {
  return since === null ? "–" : ageText(since.time, now, since.isOldest);
}

/** The reason of an issue in one line. */
export function reasonOf({ message, sample }: Issue): string {
  return shortFailure(message, { certname: sample });
}

const stateColumn: ListColumn = { heading: "state", width: 16 };
const certnameColumn: ListColumn = { heading: "certname", width: { share: 3 } };

/** All issues of the fleet. */
export function issueList({ issues, now }: Fleet): List {
  return {
    columns: [
      { heading: "nodes", width: 5, isNumber: true },
      { heading: "since", width: 7, isNumber: true },
      { heading: "what", width: { share: 2 } },
      { heading: "why", width: { share: 3 } },
    ],
    orders: [{ name: "nodes", isDescending: true }, { name: "since", isDescending: true }, { name: "what" }],
    nothing: "Nothing fails.",
    rows: issues.map((issue): ListRow => {
      const { id, what, since, nodes } = issue;
      const why = reasonOf(issue);
      return {
        key: id,
        texts: [what, why, ...nodes.map(({ certname }) => certname)],
        cells: () => [String(nodes.length), sinceText(since, now), what, why],
        more: `${what}: ${why}`,
        ranks: [nodes.length, since?.time ?? "", what],
        opens: { kind: "issue", id, what },
      };
    }),
  };
}

/** Nodes with their states, and what fails on them. */
export function nodeList({ nodes, issues, now }: Fleet, state?: StateKey): List {
  const reasons = new Map<string, Issue[]>();
  for (const issue of issues) {
    for (const { certname } of issue.nodes) reasons.set(certname, [...(reasons.get(certname) ?? []), issue]);
  }
  return {
    columns: [
      ...(state === undefined ? [stateColumn] : []),
      certnameColumn,
      { heading: "report", width: 7, isNumber: true },
      { heading: "environment", width: 14, from: 100 },
      { heading: "why", width: { share: 2 }, from: 70 },
    ],
    orders: [{ name: "state" }, { name: "certname" }, { name: "report", isDescending: true }].slice(
      state === undefined ? 0 : 1,
    ),
    nothing: state === undefined ? "There are no nodes." : `No node is ${stateLabels[state]}.`,
    rows: nodes
      .filter((node) => state === undefined || node.state === state)
      .map((node) => nodeRow(node, reasons.get(node.certname) ?? [], now, state === undefined)),
  };
}

function nodeRow(node: FleetNode, issues: readonly Issue[], now: Date, hasState: boolean): ListRow {
  const { certname, state, report, environment } = node;
  const label = stateLabels[state];
  const [first, ...others] = issues;
  const why = first === undefined ? "" : `${first.what}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  return {
    key: certname,
    texts: [certname, ...(hasState ? [label] : []), environment ?? "", why],
    cells: () => [
      ...(hasState ? [stateText(label, state)] : []),
      certname,
      ageText(report, now),
      environment ?? "–",
      why,
    ],
    ...(first === undefined ? {} : { more: `${first.what}: ${reasonOf(first)}` }),
    ...(hasState ? { state } : {}),
    ranks: [importantFirst.indexOf(state), certname, report ?? ""].slice(hasState ? 0 : 1),
    opens: { kind: "node", certname },
  };
}

/** Each state with its number of nodes. */
export function stateList({ nodes }: Fleet): List {
  return {
    columns: [
      stateColumn,
      { heading: "nodes", width: 7, isNumber: true },
      { heading: "share", width: 7, isNumber: true },
    ],
    orders: [{ name: "state" }, { name: "nodes", isDescending: true }],
    nothing: "There are no nodes.",
    rows: importantFirst
      .map((state) => ({ state, count: nodes.filter((node) => node.state === state).length }))
      .filter(({ count }) => count > 0)
      .map(({ state, count }, index) => ({
        key: state,
        texts: [stateLabels[state]],
        cells: () => [
          stateText(stateLabels[state], state),
          String(count),
          `${Math.round((count / nodes.length) * 100)} %`,
        ],
        state,
        ranks: [index, count],
        opens: { kind: "state", state },
      })),
  };
}

/** The nodes of an issue. */
export function issueNodes({ nodes, now }: Fleet, issue: Issue | undefined): List {
  const known = new Map(nodes.map((node) => [node.certname, node]));
  return {
    columns: [
      stateColumn,
      certnameColumn,
      { heading: "since", width: 7, isNumber: true },
      { heading: "report", width: 7, isNumber: true, from: 70 },
      { heading: "environment", width: 14, from: 90 },
    ],
    orders: [{ name: "certname" }, { name: "since", isDescending: true }],
    nothing: "This is not an issue any more.",
    rows: (issue?.nodes ?? []).map(({ certname, since }): ListRow => {
      const node = known.get(certname);
      const label = node === undefined ? "" : stateLabels[node.state];
      return {
        key: certname,
        texts: [certname, label, node?.environment ?? ""],
        cells: () => [
          stateText(label, node?.state),
          certname,
          sinceText(since, now),
          ageText(node?.report ?? null, now),
          node?.environment ?? "–",
        ],
        state: node?.state,
        ranks: [certname, since?.time ?? ""],
        opens: { kind: "node", certname },
      };
    }),
  };
}

/** The page of `census node` below its head, line by line. */
export function summaryList({ fleet, details, columns }: State, key: string): List {
  const detail = details.get(key);
  const summary = detail?.kind === "node" ? detail.summary : undefined;
  const page =
    summary === undefined ? "" : nodePage(summary, { width: columns - 2, isColoured: false, now: fleet.now });
  // The state and its reason are above the list.
  const lines = page === "" ? [] : page.trimEnd().split("\n");
  return {
    ...textList(lines.slice(lines.indexOf("") + 1)),
    nothing: detail?.kind === "node" ? "This node was removed." : nothingOf(detail),
  };
}

/** The facts of a node as a tree. */
export function factList({ details }: State, key: string): List {
  const lines = rowsOf(details.get(key)).flatMap(({ name, value }) => treeLines(cellText(name), value ?? null));
  return { ...textList(lines), nothing: nothingOf(details.get(key), "This node has no facts.") };
}

function textList(lines: readonly string[]): List {
  return {
    columns: [{ heading: "", width: { share: 1 } }],
    orders: [],
    nothing: "",
    rows: lines.map((line, index) => ({ key: String(index), texts: [line], cells: () => [line] })),
  };
}

/** The reports of a node, the latest first. */
export function reportList({ fleet, details }: State, key: string, certname: string): List {
  const detail = details.get(key);
  return {
    columns: [
      { heading: "status", width: 12 },
      { heading: "end", width: 19 },
      { heading: "age", width: 7, isNumber: true },
      { heading: "duration", width: 9, isNumber: true, from: 70 },
      { heading: "failed", width: 6, isNumber: true, from: 80 },
      { heading: "changed", width: 7, isNumber: true, from: 80 },
      { heading: "environment", width: { share: 1 }, from: 90 },
    ],
    orders: [],
    nothing: nothingOf(detail, "This node has sent no report."),
    rows: rowsOf(detail).map((row): ListRow => {
      const [status, end, hash] = ["status", "end_time", "hash"].map((name) => cellText(row[name]));
      const seconds = cellText(row["seconds"]);
      const state = stateOfWord(status ?? "");
      return {
        key: hash ?? "",
        texts: [status ?? "", end ?? "", cellText(row["environment"])],
        cells: () => [
          stateText(status ?? "", state),
          timeText(end ?? ""),
          ageText(end ?? "", fleet.now),
          seconds === "" ? "–" : formatDuration(Number(seconds)),
          ...["failed", "changed"].map((name) => cellText(row[name])),
          cellText(row["environment"]),
        ],
        state,
        opens: { kind: "report", hash: hash ?? "", certname, time: end ?? "" },
      };
    }),
  };
}

/** Events, as `census events` lists them; failures first. */
export function eventList({ details }: State, key: string, certname: string): List {
  const detail = details.get(key);
  const order = ["failure", "success", "noop", "skipped"];
  return {
    columns: [
      { heading: "status", width: 10 },
      { heading: "resource", width: { share: 2 } },
      { heading: "message", width: { share: 3 } },
    ],
    orders: [{ name: "status" }, { name: "resource" }],
    nothing: nothingOf(detail, "This run changed nothing, and nothing failed."),
    rows: rowsOf(detail).map((row, index): ListRow => {
      const status = cellText(row["status"]);
      const state = stateOfWord(status);
      const resource = cellText(row["resource"]);
      const message = shortFailure(cellText(row["message"]), { certname });
      const declared = textOf(row["declared"]);
      return {
        key: String(index),
        texts: [status, resource, message],
        cells: () => [stateText(status, state), resource, message],
        more: `${resource}: ${message}${declared === null ? "" : ` (${shortFile(declared)})`}`,
        state,
        ranks: [order.indexOf(status), resource],
      };
    }),
  };
}

const levelStates: Readonly<Record<string, StateKey>> = {
  emerg: "failed",
  alert: "failed",
  crit: "failed",
  err: "failed",
  warning: "corrective",
};

/** The lines of a report's log. */
export function logList({ details }: State, key: string): List {
  const detail = details.get(key);
  return {
    columns: [
      { heading: "level", width: 9 },
      { heading: "time", width: 8, from: 80 },
      { heading: "message", width: { share: 3 } },
      { heading: "source", width: { share: 1 }, from: 100, isFaint: true },
    ],
    orders: [],
    nothing: nothingOf(detail, "This report has no log."),
    rows: rowsOf(detail).map((row, index): ListRow => {
      const [level, time, message, source] = ["level", "time", "message", "source"].map((name) => cellText(row[name]));
      const text = oneLine(message ?? "");
      const state = levelStates[level ?? ""];
      return {
        key: String(index),
        texts: [level ?? "", text, source ?? ""],
        cells: () => [stateText(level ?? "", state), (time ?? "").slice(11, 19), text, source ?? ""],
        more: `${source}: ${text}`,
        state,
      };
    }),
  };
}

function rowsOf(detail: ReturnType<State["details"]["get"]>): readonly JsonObject[] {
  return detail?.kind === "rows" ? detail.rows : [];
}

function nothingOf(detail: ReturnType<State["details"]["get"]>, nothing = ""): string {
  if (detail === undefined) return "Reading…";
  return detail.kind === "problem" ? detail.text : nothing;
}

/** `2026-11-20 11:45:11`. */
export function timeText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)}`;
}

/** How many nodes are in each state. */
export function countsOf({ nodes }: Fleet): readonly { readonly state: StateKey; readonly count: number }[] {
  const counts = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return importantFirst.map((state) => ({ state, count: counts.get(state) ?? 0 })).filter(({ count }) => count > 0);
}
