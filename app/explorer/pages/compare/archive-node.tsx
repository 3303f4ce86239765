import type { JSX } from "preact";
import type { ComparedNode } from "#storage/diff/archives.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { href } from "../address/address.ts";
import { useAnswer } from "../data/use-data.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { saveBlob } from "../export/export.ts";
import { Panel } from "../frame/panel.tsx";
import { marked } from "../value/value.tsx";
import type { ArchivesProps } from "./archive-nodes.tsx";
import { type ComparedPart, ComparisonParts, PartContent, VolatileChoice } from "./comparison-parts.tsx";
import { ReportParts } from "./report-comparison.tsx";
import { ValueChanges } from "./value-changes.tsx";

export interface ArchiveNodeProps extends ArchivesProps {
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
  const partOf = (key: "facts" | "resources" | "edges" | "packages", label: string): ComparedPart => ({
    key,
    label,
    loaded,
    count: found[key].length,
    content: <PartContent part={key} found={found} sides={sides} />,
  });
  const parts = [
    partOf("facts", "Facts"),
    partOf("resources", "Resources"),
    partOf("edges", "Edges"),
    partOf("packages", "Packages"),
  ];
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
