import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Json, stringifyJson } from "#storage/json.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { saveBlob } from "../export/export.ts";
import { literal, query } from "../pql/text.ts";
import { marked } from "../value/value.tsx";
import {
  compareNodes,
  type EdgeRow,
  type FactRow,
  type NodeComparison,
  type PackageRow,
  type ResourceRow,
} from "./compare-nodes.ts";
import { ComparisonParts, nodeParts, VolatileChoice } from "./comparison-parts.tsx";

export interface NodeComparisonProps {
  readonly from: string;
  readonly to: string;
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
}

/** How one node differs from another: facts, resources, edges, packages. */
export function NodeComparisonPanels(props: NodeComparisonProps): JSX.Element {
  const { from, to, withVolatile, onVolatile } = props;
  const nodes = useRows<{ readonly certname: string }>("The nodes", "nodes", ["certname"], props);
  const facts = useRows<FactRow>("Facts of both", "facts", ["certname", "name", "value"], props);
  const resources = useRows<ResourceRow>("Resources of both", "resources", resourceFields, props);
  const edges = useRows<EdgeRow>("Edges of both", "edges", edgeFields, props);
  const packages = useRows<PackageRow>("Packages of both", "package_inventory", packageFields, props);
  const rows = { facts, resources, edges, packages };
  const found = useMemo(() => {
    const [ofFacts, ofResources] = [facts.value ?? [], resources.value ?? []];
    const both = { facts: ofFacts, resources: ofResources, edges: edges.value ?? [], packages: packages.value ?? [] };
    return compareNodes(both, { from, to, withVolatile });
  }, [facts.value, resources.value, edges.value, packages.value, from, to, withVolatile]);
  const missing = [from, to].filter((name) => nodes.value?.some(({ certname }) => certname === name) === false);
  const isComplete = [nodes, facts, resources, edges, packages].every(
    (one: Loaded<unknown>) => one.value !== undefined,
  );
  if (missing.length > 0) {
    return (
      <p>
        No node with the certname <code>{marked(missing[0] ?? "")}</code> is stored.
      </p>
    );
  }
  return (
    <>
      <p class="compare-tools">
        <VolatileChoice withVolatile={withVolatile} onVolatile={onVolatile} left={found.volatile} />
        <button type="button" disabled={!isComplete} onClick={() => save(props, found)}>
          Export JSON
        </button>
        <SavePageButton name="comparison" disabled={!isComplete} />
      </p>
      <ComparisonParts parts={nodeParts(found, [from, to], (part) => rows[part])} />
    </>
  );
}

const resourceFields = ["certname", "type", "title", "exported", "parameters", "tags"];
const edgeFields = ["certname", "source_type", "source_title", "target_type", "target_title", "relationship"];
const packageFields = ["certname", "package_name", "provider", "version"];

function useRows<Row>(
  name: string,
  entity: string,
  select: readonly string[],
  { from, to }: Pick<NodeComparisonProps, "from" | "to">,
): Loaded<readonly Row[]> {
  const where = `certname in [${literal(from)}, ${literal(to)}] and node_state = "any"`;
  return useQuery<Row>({ name, pql: query(entity, { select, where }) });
}

/** In the fields of a node that `census diff --output json` writes. */
function save({ from, to }: NodeComparisonProps, found: NodeComparison): void {
  const text = stringifyJson({ certname: from, to_certname: to, ...found } as unknown as Json);
  saveBlob(new Blob([`${text}\n`], { type: "application/json" }), "comparison.json");
}
