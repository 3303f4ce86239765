import type { ComponentChildren, JSX } from "preact";
import { href } from "../address/address.ts";
import { factTitle, readFactField } from "../pql/fact-path.ts";
import { LastFailure, StateMark } from "../state/state-mark.tsx";
import { silence, stateLabels, stateOf } from "../state/states.ts";
import { CellLink, certnameColumn, countColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { Age } from "../time/age.tsx";
import { formatTime } from "../time/format.ts";
import { compactJson } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { badgesOf, NodeBadges } from "../node/node-badges.tsx";
import type { ListedNode, NodeRow } from "../node/use-node.ts";

type NodeColumn = Column<ListedNode>;

const age = (key: keyof NodeRow, title: string, meaning: string): NodeColumn => ({
  key,
  sort: key,
  title,
  meaning,
  width: 92,
  cell: (node) => <Age time={node[key] as string | null} none="–" />,
});
const word = (key: keyof NodeRow, title: string, width: number): NodeColumn => ({
  key,
  sort: key,
  title,
  width,
  cell: (node) => text(node[key] ?? null),
});
const related = (
  key: string,
  {
    cell,
    ...column
  }: Pick<NodeColumn, "title" | "meaning" | "width"> & { cell: (text: string | null) => ComponentChildren },
): NodeColumn => ({
  ...column,
  key,
  sort: key,
  cell: (node) => {
    const value = node[key];
    return cell(typeof value === "string" ? value : null);
  },
});
const relatedAge = (text: string | null): JSX.Element => <Age time={text} none="–" />;
const events = (status: string, title: string, meaning: string): NodeColumn =>
  countColumn(`events.${status}`, title, (node) => Number(node[`events.${status}`] ?? 0), {
    meaning,
    width: 72,
    isFailure: status === "failure",
  });

/** Every column but facts, in the order in which they are offered. */
export const nodeColumns: readonly NodeColumn[] = [
  {
    key: "state",
    sort: "state",
    title: "State",
    width: 136,
    fits: 260,
    hasShape: true,
    text: (node) => [stateLabels[stateOf(node, silence.value)], ...badgesOf(node).map(({ text }) => text)].join(", "),
    cell: (node) => {
      const state = stateOf(node, silence.value);
      return (
        <>
          <StateMark state={state} /> {state === "silent" ? <LastFailure node={node} /> : null}{" "}
          <NodeBadges node={node} />
        </>
      );
    },
  },
  word("report_environment", "Environment", 116),
  age("report_timestamp", "Report", "Time since the end of the latest run"),
  related("catalogs.producer_timestamp", {
    title: "Catalog",
    meaning: "Time since the latest catalog was compiled",
    width: 96,
    cell: relatedAge,
  }),
  related("factsets.producer_timestamp", {
    title: "Facts",
    meaning: "Time since the node sent its facts",
    width: 96,
    cell: relatedAge,
  }),
  events("failure", "Failed", "Failed events of the latest run"),
  events("success", "Changed", "Changes of the latest run"),
  events("skipped", "Skipped", "Skipped resources of the latest run"),
  events("noop", "Pending", "Changes that the latest run only simulated"),
  word("latest_report_status", "Status", 100),
  word("cached_catalog_status", "Cached catalog", 130),
  word("catalog_environment", "Catalog environment", 150),
  word("facts_environment", "Facts environment", 140),
  related("catalogs.producer", {
    title: "Producer",
    meaning: "Who compiled the latest catalog",
    width: 200,
    cell: text,
  }),
  related("catalogs.version", { title: "Configuration version", width: 180, cell: text }),
  {
    key: "latest_report_hash",
    sort: "latest_report_hash",
    title: "Latest report",
    width: 110,
    cell: ({ latest_report_hash: hash }) =>
      hash === null ? (
        text(null)
      ) : (
        <CellLink href={href("report", [hash])}>
          <span class="mono">{hash.slice(0, 8)}</span>
        </CellLink>
      ),
  },
  { ...word("deactivated", "Deactivated", 150), cell: (node) => formatTime(node.deactivated) },
  { ...word("expired", "Expired", 150), cell: (node) => formatTime(node.expired) },
];

function text(value: string | boolean | null): ComponentChildren {
  return value === null ? <span class="muted">–</span> : <bdi>{marked(String(value))}</bdi>;
}

const certname: NodeColumn = { ...certnameColumn<ListedNode>(), fixed: true };

/** The column of a field, a count, or a fact; undefined when there is none of this name. */
export function nodeColumn(key: string): NodeColumn | undefined {
  return key === certname.key ? certname : (nodeColumns.find((column) => column.key === key) ?? factColumn(key));
}

function factColumn(key: string): NodeColumn | undefined {
  const path = readFactField(key);
  if (path === undefined) return undefined;
  const title = factTitle(key) ?? key;
  const name = String(path.at(-1));
  return {
    key,
    title,
    width: 120,
    sort: key,
    text: (row) => {
      const value = row[key] ?? null;
      return value === null ? undefined : typeof value === "string" ? value : compactJson(value, 500);
    },
    cell: (row) => <Value value={row[key] ?? undefined} name={name} limit={200} />,
  };
}
