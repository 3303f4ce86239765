import type { Graph, GraphNode } from "./graph.ts";

/** Sizes of the picture, px. */
export const BOX = { width: 190, height: 30 } as const;
const GAP = { x: 56, y: 10 } as const;
const EDGE_OF_PICTURE = 6;

/** The columns of a graph in their order, each with its resources from top to bottom. */
export function graphColumns({
  nodes,
  edges,
}: Graph): { readonly column: number; readonly nodes: readonly GraphNode[] }[] {
  const byColumn = new Map<number, GraphNode[]>();
  for (const node of nodes) byColumn.set(node.column, [...(byColumn.get(node.column) ?? []), node]);
  const places = new Map<string, number>();
  // From the middle outwards: each resource beside those that it is connected with.
  for (const column of [...byColumn.keys()].sort((one, other) => Math.abs(one) - Math.abs(other))) {
    const own = (byColumn.get(column) ?? []).map((node) => {
      const connected = edges.flatMap(({ from, to }) => (from === node.name ? [to] : to === node.name ? [from] : []));
      const known = connected.flatMap((name) => places.get(name) ?? []);
      return { node, place: known.length === 0 ? 0 : known.reduce((sum, one) => sum + one, 0) / known.length };
    });
    own.sort((one, other) => one.place - other.place);
    byColumn.set(
      column,
      own.map(({ node }) => node),
    );
    own.forEach(({ node }, at) => places.set(node.name, at - (own.length - 1) / 2));
  }
  return [...byColumn].map(([column, own]) => ({ column, nodes: own })).sort((one, other) => one.column - other.column);
}

/** The upper left corner of each box by the name of its resource, and the size of the picture, px. */
export function graphLayout(graph: Graph): {
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly width: number;
  readonly height: number;
} {
  const columns = graphColumns(graph);
  const most = Math.max(0, ...columns.map(({ nodes }) => nodes.length));
  const row = BOX.height + GAP.y;
  const places = new Map(
    columns.flatMap(({ nodes }, at) =>
      nodes.map(({ name }, index) => {
        const y = EDGE_OF_PICTURE + (index + (most - nodes.length) / 2) * row;
        return [name, { x: EDGE_OF_PICTURE + at * (BOX.width + GAP.x), y }] as const;
      }),
    ),
  );
  return {
    places,
    width: 2 * EDGE_OF_PICTURE + columns.length * (BOX.width + GAP.x) - GAP.x,
    height: 2 * EDGE_OF_PICTURE + most * row - GAP.y,
  };
}

/** The curve of an edge from the right of one box to the left of another; between boxes of a column it bends outwards. */
export function edgePath(from: { readonly x: number; readonly y: number }, to: typeof from): string {
  const [y1, y2] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  const x1 = from.x + BOX.width;
  const x2 = from.x === to.x ? x1 : to.x;
  const bend = GAP.x / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${from.x === to.x ? x2 + bend : x2 - bend} ${y2} ${x2} ${y2}`;
}
