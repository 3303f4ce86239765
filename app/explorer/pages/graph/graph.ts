import type { CatalogEdge } from "../report/rows.ts";
import { refText, type ResourceRef } from "../value/text.ts";
import type { SkippedResource } from "../report/skip-chains.ts";

/** A resource in a picture. */
export interface GraphNode {
  readonly name: string;
  readonly resource: ResourceRef;
  /** Edges between it and the resource in the middle; negative for those that come before it. */
  readonly column: number;
}

/** An edge of a picture, by the names of resources: the first comes before the other, or contains it. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relationship: string;
}

export interface Graph {
  /** The resource in the middle first, then the nearest. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Resources that belong to the picture and for which there is no space. */
  readonly leftOut: number;
}

/** More boxes would not be read. */
const MOST_NODES = 60;

interface End {
  readonly resource: ResourceRef;
  readonly name: string;
}

/** The resources within some edges of one, in both directions, the nearest first where there are too many. */
export function neighbourhood(
  middle: ResourceRef,
  edges: readonly CatalogEdge[],
  { hops, withContainers }: { readonly hops: number; readonly withContainers: boolean },
): Graph {
  const used = edges
    .filter(({ relationship }) => withContainers || relationship !== "contains")
    .map((edge) => ({
      source: endOf(edge.source_type, edge.source_title),
      target: endOf(edge.target_type, edge.target_title),
      relationship: edge.relationship,
    }));
  const [after, before] = [new Map<string, End[]>(), new Map<string, End[]>()];
  for (const { source, target } of used) {
    add(after, source.name, target);
    add(before, target.name, source);
  }
  const found = new Map<string, GraphNode>();
  const start = endOf(middle.type, middle.title);
  found.set(start.name, { ...start, column: 0 });
  let levels = [
    { next: after, step: 1, names: [start.name] },
    { next: before, step: -1, names: [start.name] },
  ];
  for (let hop = 1; hop <= hops; hop++) {
    levels = levels.map(({ next, step, names }) => {
      const reached: string[] = [];
      for (const end of names.flatMap((name) => next.get(name) ?? [])) {
        if (found.has(end.name)) continue;
        found.set(end.name, { ...end, column: step * hop });
        reached.push(end.name);
      }
      return { next, step, names: reached };
    });
  }
  const links = used.map(({ source, target, relationship }) => ({ from: source.name, to: target.name, relationship }));
  return bounded([...found.values()], links);
}

/** A failed resource, and what was skipped because of it: each resource behind the one that it waited for. */
export function skipTree(failed: ResourceRef, skipped: readonly SkippedResource[]): Graph {
  const columns = new Map([[refText(failed), 0]]);
  const nodes: GraphNode[] = [{ name: refText(failed), resource: failed, column: 0 }];
  const edges: GraphEdge[] = [];
  for (const { resource, after } of skipped) {
    const column = (columns.get(refText(after)) ?? 0) + 1;
    columns.set(refText(resource), column);
    nodes.push({ name: refText(resource), resource, column });
    edges.push({ from: refText(after), to: refText(resource), relationship: "skipped" });
  }
  return bounded(nodes, edges);
}

function bounded(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Graph {
  const shown = nodes.slice(0, MOST_NODES);
  const names = new Set(shown.map(({ name }) => name));
  return {
    nodes: shown,
    edges: edges.filter(({ from, to }) => names.has(from) && names.has(to)),
    leftOut: nodes.length - shown.length,
  };
}

function endOf(type: string, title: string): End {
  const resource = { type, title };
  return { resource, name: refText(resource) };
}

function add(lists: Map<string, End[]>, name: string, end: End): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [end]);
  else list.push(end);
}
