import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { factAddress, type FactPath as Path } from "../pql/fact-path.ts";
import { FactTable } from "../facts/fact-table.tsx";
import { factLines } from "../facts/fact-tree.ts";
import { countedPaths } from "../facts/use-fact-lines.ts";
import { useFacets } from "../data/use-facets.ts";
import { useQuery } from "../data/use-query.ts";
import { Panel } from "../frame/panel.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { and, inEnvironment, literal, query } from "../pql/text.ts";
import { NodeValues } from "./node-values.tsx";

export interface StructureProps {
  readonly path: Path;
  readonly environment: string | undefined;
}

/** The endpoint lists no more. */
const MOST_PATHS = 1000;

/** The parts of a structured fact; or, where no node has the path, a sentence that says so. */
export function Structure({ path, environment }: StructureProps): JSX.Element {
  const [name = ""] = path;
  const within = `name = ${literal(String(name))}`;
  const parts = useFacets({
    name: "Parts of the fact",
    entity: "fact_contents",
    where: and(within, inEnvironment("fact_contents", environment)),
    facets: [["path"]],
    distinct: "value",
    limit: MOST_PATHS,
  });
  const types = useQuery<{ path: Path; type: string }>({
    name: "Types of the parts",
    pql: query("fact_paths", { select: ["path", "type"], where: within }),
    limit: 5000,
  });
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const leaves = useMemo(
    () => countedPaths(parts.value).filter((leaf) => path.every((part, index) => leaf.path[index] === part)),
    [parts.value, path],
  );
  const lines = useMemo(() => {
    const open = new Set(
      leaves
        .flatMap((leaf) => leaf.path.map((_, index) => factAddress(leaf.path.slice(0, index + 1))))
        .filter((id) => !closed.has(id)),
    );
    return factLines({ facts: [], leaves, types: types.value ?? [], open, isSearch: false });
  }, [leaves, types.value, closed]);
  // As many nodes have the fact as have its commonest part, or more.
  const having = Math.max(0, ...leaves.map((leaf) => leaf.nodes));
  const toggle = (id: string): void => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const isWhole = path.length === 1 && lines.length > 0;
  const showParts = (): JSX.Element => (
    <Panel
      title={lines.length === 0 ? "Values" : "Parts"}
      loaded={[parts, types]}
      empty={
        lines.length === 0 ? (
          <p>No node has this fact{environment === undefined ? "" : " in this environment"}.</p>
        ) : undefined
      }
    >
      <p class="muted">
        {leaves.length.toLocaleString()} values in this structured fact. Choose one to see how the nodes differ in it.
      </p>
      <FactTable lines={lines} nodes={having} among="nodes that have this fact" onToggle={toggle} />
    </Panel>
  );
  const showNodes = (): JSX.Element => (
    <Panel title="Nodes">
      <NodeValues path={path} entity="facts" where={and(within, inEnvironment("facts", environment))} />
    </Panel>
  );
  if (!isWhole) return showParts();
  return (
    <Tabs
      label="Parts of the fact"
      tabs={[
        { key: "parts", label: "Parts", show: showParts },
        { key: "nodes", label: "Nodes", show: showNodes },
      ]}
    />
  );
}
