import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { href } from "../address/address.ts";
import type { Sort } from "../address/codecs.ts";
import { shareText } from "../charts/axis.ts";
import { Icon } from "../icons/icon.tsx";
import { factAddress } from "../pql/fact-path.ts";
import { CellLink, countColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { marked } from "../value/value.tsx";
import { type FactLine, sortedLines } from "./fact-tree.ts";

export interface FactTableProps {
  readonly lines: readonly FactLine[];
  /** The total that shares refer to, as a number and as text. */
  readonly nodes: number;
  readonly among: string;
  /** Opens or closes a line. */
  readonly onToggle: (id: string) => void;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
}

/** Facts and their parts. Enter on a structured one opens it; the name leads to its page. */
export function FactTable({ lines, nodes, among, onToggle, sort, onSort }: FactTableProps): JSX.Element {
  const columns = useMemo(() => columnsOf(nodes, among, onToggle), [nodes, among, onToggle]);
  const sorted = useMemo(() => {
    const value = columns.find((column) => column.sort === sort?.field)?.value;
    return value === undefined ? lines : sortedLines(lines, value, sort?.descending === true);
  }, [lines, sort?.field, sort?.descending]);
  const source = useMemorySource(sorted, { columns: [], ...(sort === undefined ? {} : { sort }) });
  return (
    <DataTable<FactLine>
      name="Facts"
      columns={columns}
      source={source}
      empty={<p>No fact matches.</p>}
      {...(sort === undefined || onSort === undefined ? {} : { sort, onSort })}
    />
  );
}

function columnsOf(nodes: number, among: string, onToggle: (id: string) => void): Column<FactLine>[] {
  return [
    {
      key: "fact",
      sort: "fact",
      value: ({ name }) => name,
      title: "Fact",
      width: 180,
      grows: true,
      cell: (line) => <FactName line={line} onToggle={onToggle} />,
    },
    {
      key: "type",
      title: "Type",
      width: 90,
      fits: 160,
      text: ({ types }) => types.join(", "),
      sort: "type",
      value: ({ types }) => types.join(", "),
      cell: ({ types }) => <span class="muted">{types.join(", ")}</span>,
    },
    countColumn("nodes", "Nodes", (line) => line.nodes, { meaning: "Nodes that have it", width: 72 }),
    {
      key: "share",
      sort: "share",
      value: (line) => line.nodes,
      title: "Share",
      meaning: `Share of the ${among}`,
      width: 72,
      align: "end",
      cell: (line) => <span class="muted">{shareText(line.nodes, nodes)}</span>,
    },
    {
      key: "distinct",
      sort: "distinct",
      value: ({ distinct }) => distinct,
      title: "Values",
      meaning: "Different values",
      width: 72,
      align: "end",
      cell: ({ distinct }) => (distinct === undefined ? null : distinct.toLocaleString()),
    },
    {
      key: "spread",
      sort: "spread",
      value: ({ distinct, nodes: having }) => (distinct === undefined ? undefined : distinct / Math.max(1, having)),
      title: "Spread",
      meaning: "Different values in proportion to nodes: full where each node has its own",
      width: 100,
      cell: ({ distinct, nodes: having }) =>
        distinct === undefined || having === 0 ? null : <Spread distinct={distinct} nodes={having} />,
    },
  ];
}

function FactName({ line, onToggle }: { line: FactLine; onToggle: (id: string) => void }): JSX.Element {
  const { id, path, name, depth, isStructured, isOpen } = line;
  const label = typeof name === "number" ? `[${name}]` : name;
  return (
    <span class="fact-name" style={{ paddingInlineStart: `${depth * 18}px` }}>
      {isStructured ? (
        <button
          type="button"
          class="fact-toggle"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={`Parts of ${label}`}
          onClick={() => onToggle(id)}
        >
          <Icon name={isOpen ? "down" : "right"} />
        </button>
      ) : (
        <span class="fact-toggle" />
      )}
      <CellLink href={href("fact", [], { path: factAddress(path) })}>
        <bdi class="mono">{marked(label)}</bdi>
      </CellLink>
    </span>
  );
}

/** 1 value: empty. As many values as nodes: full. */
function Spread({ distinct, nodes }: { distinct: number; nodes: number }): JSX.Element {
  const share = nodes <= 1 ? 0 : (distinct - 1) / (nodes - 1);
  return (
    <svg class="fact-spread series-value" width="80" height="8" aria-hidden="true">
      <rect width={share === 0 ? 0 : Math.max(2, 80 * Math.min(1, share))} height="8" fill="currentColor" />
    </svg>
  );
}
