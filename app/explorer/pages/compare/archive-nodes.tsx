import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ComparedArchives, ComparedNode, DifferentNode } from "#storage/diff/archives.ts";
import type { DiffPart } from "#storage/diff/parts.ts";
import { go, href, useParameter, useText, withParameters } from "../address/address.ts";
import { oneOf, sort as sortCodec } from "../address/codecs.ts";
import { useAnswer } from "../data/use-data.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { Panel } from "../frame/panel.tsx";
import { Choice, countValues, SearchField } from "../list/search-field.tsx";
import { certnameColumn, countColumn, textColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { DataTable } from "../table/data-table.tsx";
import { useMemorySource } from "../table/memory-source.ts";
import { holds, marked } from "../value/value.tsx";
import { CommonChanges } from "./common-changes.tsx";
import { type ComparedPart, ComparisonParts, nodeParts, ValueChanges, VolatileChoice } from "./comparison-parts.tsx";
import { type Json, stringifyJson } from "#storage/json.ts";
import { saveBlob } from "../export/export.ts";
import { ReportParts } from "./report-comparison.tsx";

interface ArchiveNodeProps extends ArchivesProps {
  readonly certname: string;
}

/** How one node differs between two archives. */
export function ArchiveNode(props: ArchiveNodeProps): JSX.Element {
  const { certname, sides, withVolatile, onVolatile } = props;
  const loaded = useAnswer("archive-comparison/node", {
    parameters: { certname, volatile: String(withVolatile) },
    name: "Comparison of the node",
  });
  const found = loaded.value;
  const left = found === undefined || !("volatile" in found) ? 0 : found.volatile;
  return (
    <>
      <h2>
        <bdi>{marked(certname)}</bdi>
      </h2>
      <p class="compare-tools">
        <VolatileChoice withVolatile={withVolatile} onVolatile={onVolatile} left={left} />
        {found === undefined || found.kind === "removed" ? null : (
          <a href={href("node", [certname])}>The node in {marked(sides[1])}</a>
        )}
        <button type="button" disabled={found === undefined} onClick={() => found === undefined || save(found)}>
          Export JSON
        </button>
        <SavePageButton name="comparison" disabled={found === undefined} />
      </p>
      {found?.kind === "changed" || found?.kind === "same" ? (
        <>
          {found.kind === "changed" && found.summary.length > 0 ? (
            <Panel title="State, environment and other values">
              <ValueChanges label="State, environment and other values" changes={found.summary} sides={sides} />
            </Panel>
          ) : null}
          <ComparisonParts parts={partsOf(props, found, loaded)} />
        </>
      ) : (
        <Panel title="Comparison" loaded={loaded}>
          {found === undefined ? null : (
            <p>
              Only <bdi>{marked(found.kind === "added" ? sides[1] : sides[0])}</bdi> has this node.
            </p>
          )}
        </Panel>
      )}
    </>
  );
}

function partsOf(
  { sides }: ArchiveNodeProps,
  node: Extract<ComparedNode, { readonly kind: "changed" | "same" }>,
  loaded: ComparedPart["loaded"],
): ComparedPart[] {
  const found = node.kind === "same" ? { facts: [], resources: [], edges: [], packages: [] } : node;
  const parts = nodeParts(found, sides, () => loaded);
  const report = node.kind === "changed" ? node.report : null;
  if (report === null) return parts;
  const { head, events, metrics, logs } = report;
  const count = head.length + events.length + metrics.length + logs.length;
  const content = <ReportParts changes={report} sides={sides} />;
  return [...parts, { key: "report", label: "Latest report", loaded, count, content }];
}

/** The fields that `census diff --output json` writes of a node. */
function save(found: ComparedNode): void {
  const text = stringifyJson(found as unknown as Json);
  saveBlob(new Blob([`${text}\n`], { type: "application/json" }), "comparison.json");
}

export interface ArchivesProps {
  /** Names of the older archive and the newer one. */
  readonly sides: readonly [from: string, to: string];
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
}

const kinds = ["changed", "added", "removed"] as const;

const kindCodec = oneOf(["", ...kinds], "");
const order = sortCodec({ field: "certname", descending: false });

const counted = (part: DiffPart, title: string, meaning?: string): Column<DifferentNode> =>
  countColumn(part, title, ({ counts }) => counts[part] ?? 0, meaning === undefined ? {} : { meaning });

const columns: readonly Column<DifferentNode>[] = [
  { ...certnameColumn<DifferentNode>(({ certname }) => addressOf(certname)), title: "Node" },
  textColumn("kind", "Is", ({ kind }) => kind, { width: 96 }),
  counted("facts", "Facts"),
  counted("resources", "Resources"),
  counted("edges", "Edges"),
  counted("packages", "Packages"),
  counted("nodes", "Other", "State, environment and other values of the node"),
];

function addressOf(certname: string): string {
  return withParameters(location.href, { node: certname });
}

/** How many nodes changed, came and went; which; and what several of them share. */
export function AllNodes({ sides, withVolatile, onVolatile }: ArchivesProps): JSX.Element {
  const [kind, setKind] = useParameter("kind", kindCodec);
  const [needle, setNeedle] = useText("q");
  const [sort, setSort] = useParameter("sort", order);
  const loaded = useAnswer("archive-comparison", {
    parameters: { volatile: String(withVolatile) },
    name: "Comparison of the archives",
  });
  const different = loaded.value?.different ?? [];
  const rows = useMemo(
    () => different.filter((node) => (kind === "" || node.kind === kind) && holds(node.certname, needle)),
    [loaded.value, kind, needle],
  );
  const source = useMemorySource(rows, { columns, sort, loaded });
  return (
    <>
      <p class="compare-tools">
        <Counts compared={loaded.value} />
        <VolatileChoice withVolatile={withVolatile} onVolatile={onVolatile} left={loaded.value?.volatile ?? 0} />
        <SavePageButton name="comparison" disabled={loaded.value === undefined} />
      </p>
      <Panel
        title="What several nodes share"
        loaded={loaded}
        empty={
          loaded.value?.common.length === 0 ? <p class="muted">No difference of nodes that both have.</p> : undefined
        }
      >
        {loaded.value === undefined ? null : <CommonChanges {...loaded.value} sides={sides} />}
      </Panel>
      <Panel
        title="Nodes that differ"
        loaded={loaded}
        empty={loaded.value !== undefined && different.length === 0 ? <p class="muted">None.</p> : undefined}
      >
        <div class="list-filters">
          <SearchField
            label="Search nodes"
            value={needle}
            onChange={(value) => setNeedle(value, { push: false })}
            isFilter
          />
          <Choice
            label="What happened to the node"
            all="changed, added and removed"
            chosen={kind}
            counts={countValues(different.map((node) => node.kind))}
            onChange={(value) => setKind(kinds.find((one) => one === value) ?? "")}
          />
        </div>
        <DataTable
          name="Nodes that differ"
          columns={columns}
          source={source}
          sort={sort}
          onSort={setSort}
          onOpen={({ certname }) => go(addressOf(certname))}
          empty={<p>No node that differs has this in its name.</p>}
        />
      </Panel>
    </>
  );
}

function Counts({ compared }: { readonly compared: ComparedArchives | undefined }): JSX.Element {
  if (compared === undefined) return <span class="muted">Comparing all nodes …</span>;
  const { changed, added, removed, same } = compared.nodes;
  return (
    <span role="status">
      <strong>{changed.toLocaleString()}</strong> nodes changed, <strong>{added.toLocaleString()}</strong> added,{" "}
      <strong>{removed.toLocaleString()}</strong> removed, {same.toLocaleString()} the same
    </span>
  );
}
