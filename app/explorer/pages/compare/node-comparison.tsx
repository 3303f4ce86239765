import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Edge, Resource } from "#storage/diff/catalog.ts";
import type { InstalledPackage } from "#storage/diff/packages.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { asOf, recordedTime } from "../data/as-of.ts";
import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { SavePageButton } from "../export/save-page-button.tsx";
import { saveBlob } from "../export/export.ts";
import { literal, query } from "../pql/text.ts";
import { formatTime } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import { compareNodes, type FactRow, type NodeComparison, type NodeRows } from "./compare-nodes.ts";
import { ComparisonParts, nodeParts, VolatileChoice } from "./comparison-parts.tsx";

/** A node, as it was at a time. */
export interface NodeAtTime {
  readonly certname: string;
  /** ISO 8601; empty: the time of all pages. */
  readonly at: string;
}

interface NodeComparisonProps {
  readonly from: NodeAtTime;
  readonly to: NodeAtTime;
  readonly withVolatile: boolean;
  readonly onVolatile: (withVolatile: boolean) => void;
}

/** How one node differs from another, or from itself at another time: facts, resources, edges, packages. */
export function NodeComparisonPanels({ from, to, withVolatile, onVolatile }: NodeComparisonProps): JSX.Element {
  const isOne = from.certname === to.certname;
  const [before, after] = [useNode(from), useNode(to)];
  const parts = { before: rowsOf(before), after: rowsOf(after) };
  const found = useMemo(
    () => compareNodes(parts.before, parts.after, withVolatile),
    [...Object.values(parts.before), ...Object.values(parts.after), withVolatile],
  );
  const missing = [
    { node: from, isThere: useIsThere(from, before) },
    { node: to, isThere: useIsThere(to, after) },
  ].find(({ isThere }) => !isThere)?.node;
  if (missing !== undefined) {
    return (
      <p>
        No node with the certname <code>{marked(missing.certname)}</code>{" "}
        {missing.at === "" ? "is stored" : `was stored at ${timeName(missing)}`}.
      </p>
    );
  }
  const isComplete = [...Object.values(before), ...Object.values(after)].every(({ value }) => value !== undefined);
  return (
    <>
      <p class="compare-tools">
        <VolatileChoice withVolatile={withVolatile} onVolatile={onVolatile} left={found.volatile} />
        <button type="button" disabled={!isComplete} onClick={() => save([from, to], found)}>
          Export JSON
        </button>
        <SavePageButton name="comparison" disabled={!isComplete} />
      </p>
      <ComparisonParts
        parts={nodeParts(found, [sideName(from, isOne), sideName(to, isOne)], (part) => [before[part], after[part]])}
      />
    </>
  );
}

/** `web-01`, `web-01, 18 Nov 2026, 12:00`; of one node at two times, the times alone. */
function sideName(side: NodeAtTime, isOne: boolean): string {
  if (isOne) return timeName(side);
  return side.at === "" ? side.certname : `${side.certname}, ${timeName(side)}`;
}

function timeName({ at }: NodeAtTime): string {
  const time = timeOf(at) ?? asOf.value;
  return time === undefined ? "now" : formatTime(time);
}

/** The time that is requested; undefined: that of all pages. */
function timeOf(at: string): string | undefined {
  return at === "" ? undefined : recordedTime(at);
}

type NodeParts = { readonly [Part in keyof NodeRows]: Loaded<NodeRows[Part]> };

/** All that is stored of a node at a time. */
function useNode(side: NodeAtTime): NodeParts {
  return {
    facts: useRows<FactRow>(side, "facts", ["name", "value"]),
    resources: useRows<Resource>(side, "resources", ["type", "title", "exported", "parameters", "tags"]),
    edges: useRows<Edge>(side, "edges", edgeFields),
    packages: useRows<InstalledPackage>(side, "package_inventory", ["package_name", "provider", "version"]),
  };
}

/** Whether a node is stored; it is looked up only where nothing of it is found. */
function useIsThere(side: NodeAtTime, parts: NodeParts): boolean {
  const isEmpty = Object.values(parts).every(({ value }: Loaded<readonly unknown[]>) => value?.length === 0);
  const { value, isLoading } = useRows(isEmpty ? side : undefined, "nodes", ["certname"]);
  return !isEmpty || isLoading || value?.length !== 0;
}

const edgeFields = ["source_type", "source_title", "target_type", "target_title", "relationship"];

/** Rows of an entity of a node. @param side undefined: none is requested */
function useRows<Row>(side: NodeAtTime | undefined, entity: string, select: readonly string[]): Loaded<readonly Row[]> {
  return useQuery<Row>(
    side === undefined
      ? undefined
      : {
          name: `${entity} of ${sideName(side, false)}`,
          pql: query(entity, { select, where: `certname = ${literal(side.certname)} and node_state = "any"` }),
          asOf: timeOf(side.at),
        },
  );
}

const none: readonly never[] = [];

/** What is there of them. */
function rowsOf({ facts, resources, edges, packages }: NodeParts): NodeRows {
  return {
    facts: facts.value ?? none,
    resources: resources.value ?? none,
    edges: edges.value ?? none,
    packages: packages.value ?? none,
  };
}

/** In the fields of a node that `census diff --output json` writes. */
function save([from, to]: readonly [from: NodeAtTime, to: NodeAtTime], found: NodeComparison): void {
  const text = stringifyJson({ certname: from.certname, to_certname: to.certname, ...found } as unknown as Json);
  saveBlob(new Blob([`${text}\n`], { type: "application/json" }), "comparison.json");
}
