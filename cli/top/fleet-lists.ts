import { shortFailure } from "#storage/display/short-failure.ts";
import { mostUrgentFirst, type StateKey } from "#storage/states/node-state.ts";
import { stateLabels } from "#storage/states/words.ts";
import { stateText } from "../output/states.ts";
import type { List, ListColumn, ListRow } from "./list.ts";
import { countsOf, type Fleet, type FleetNode, type Issue } from "./fleet.ts";
import { ageText, sinceText } from "./times.ts";

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
    ranks: [mostUrgentFirst.indexOf(state), certname, report ?? ""].slice(hasState ? 0 : 1),
    opens: { kind: "node", certname },
  };
}

/** Each state with its number of nodes. */
export function stateList(fleet: Fleet): List {
  return {
    columns: [
      stateColumn,
      { heading: "nodes", width: 7, isNumber: true },
      { heading: "share", width: 7, isNumber: true },
    ],
    orders: [{ name: "state" }, { name: "nodes", isDescending: true }],
    nothing: "There are no nodes.",
    rows: countsOf(fleet).map(({ state, count }, index) => ({
      key: state,
      texts: [stateLabels[state]],
      cells: () => [
        stateText(stateLabels[state], state),
        String(count),
        `${Math.round((count / fleet.nodes.length) * 100)} %`,
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
