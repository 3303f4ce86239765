import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type EdgeChange, edgeText } from "#storage/diff/catalog.ts";
import type { ValueChange } from "#storage/diff/values.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { useParameter, withParameters } from "../address/address.ts";
import { oneOf } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { saveBlob } from "../export/save-blob.ts";
import { Panel } from "../frame/panel.tsx";
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
import { OnlyOn, ResourceChanges } from "./resource-changes.tsx";
import { ValueChanges } from "./value-changes.tsx";
import { VolatileChoice } from "./volatile-choice.tsx";

const partKeys = ["facts", "resources", "edges", "packages"] as const;

type PartKey = (typeof partKeys)[number];

const partCodec = oneOf(partKeys, "facts");

export interface NodeComparisonProps {
  readonly from: string;
  readonly to: string;
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
}

/** How one node differs from another: facts, resources, edges, packages. */
export function NodeComparisonPanels(props: NodeComparisonProps): JSX.Element {
  const { from, to, withVolatile, onVolatile } = props;
  const [part] = useParameter("part", partCodec);
  const nodes = useRows<{ readonly certname: string }>("The nodes", "nodes", ["certname"], props);
  const facts = useRows<FactRow>("Facts of both", "facts", ["certname", "name", "value"], props);
  const resources = useRows<ResourceRow>("Resources of both", "resources", resourceFields, props);
  const edges = useRows<EdgeRow>("Edges of both", "edges", edgeFields, props);
  const packages = useRows<PackageRow>("Packages of both", "package_inventory", packageFields, props);
  const found = useMemo(() => {
    const [ofFacts, ofResources] = [facts.value ?? [], resources.value ?? []];
    const rows = { facts: ofFacts, resources: ofResources, edges: edges.value ?? [], packages: packages.value ?? [] };
    return compareNodes(rows, { from, to, withVolatile });
  }, [facts.value, resources.value, edges.value, packages.value, from, to, withVolatile]);
  const missing = [from, to].filter((name) => nodes.value?.some(({ certname }) => certname === name) === false);
  const isComplete = [nodes, facts, resources, edges, packages].every(
    (one: Loaded<unknown>) => one.value !== undefined,
  );
  const sides = [from, to] as const;
  const parts = [
    { key: "facts", label: "Facts", loaded: facts },
    { key: "resources", label: "Resources", loaded: resources },
    { key: "edges", label: "Edges", loaded: edges },
    { key: "packages", label: "Packages", loaded: packages },
  ] as const;
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
      </p>
      <nav class="tabs" aria-label="Parts of the comparison">
        {parts.map(({ key, label, loaded }) => (
          <a
            key={key}
            href={withParameters(location.href, { part: partCodec.write(key) })}
            aria-current={key === part ? "page" : undefined}
          >
            {label}
            {loaded.value === undefined ? "" : ` (${found[key].length.toLocaleString()})`}
          </a>
        ))}
      </nav>
      {parts
        .filter(({ key }) => key === part)
        .map(({ key, label, loaded }) => (
          <Panel
            key={key}
            title={label}
            loaded={loaded}
            empty={
              loaded.value !== undefined && found[key].length === 0 ? <p class="muted">No differences.</p> : undefined
            }
          >
            <Part part={key} found={found} sides={sides} />
          </Panel>
        ))}
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

interface PartProps {
  readonly part: PartKey;
  readonly found: NodeComparison;
  readonly sides: readonly [from: string, to: string];
}

function Part({ part, found, sides }: PartProps): JSX.Element {
  const [from, to] = sides;
  switch (part) {
    case "facts":
      return <ValueChanges label="Facts" changes={found.facts} sides={sides} />;
    case "resources":
      return <ResourceChanges changes={found.resources} sides={sides} />;
    case "edges":
      return (
        <>
          <OnlyOn side={from} noun="edges" items={found.edges.filter(({ kind }) => kind === "removed").map(edgeItem)} />
          <OnlyOn side={to} noun="edges" items={found.edges.filter(({ kind }) => kind === "added").map(edgeItem)} />
        </>
      );
    case "packages":
      return <ValueChanges label="Packages" changes={found.packages} sides={sides} nameOf={packageText} />;
  }
}

/** `openssl (apt)`; of a provider that only one node has, all packages. */
function packageText({ path: [provider = "", name] }: ValueChange): string {
  return name === undefined ? `all (${provider})` : `${name} (${provider})`;
}

function edgeItem({ edge }: EdgeChange): { key: string; content: JSX.Element } {
  const text = edgeText(edge);
  return { key: text, content: <bdi>{marked(text)}</bdi> };
}

/** In the fields of a node that `census diff --output json` writes. */
function save({ from, to }: NodeComparisonProps, found: NodeComparison): void {
  const text = stringifyJson({ certname: from, to_certname: to, ...found } as unknown as Json);
  saveBlob(new Blob([`${text}\n`], { type: "application/json" }), "comparison.json");
}
