import { describe, expect, it } from "vitest";
import { type Graph, neighbourhood, skipTree } from "#app/explorer/pages/graph/graph.ts";
import { graphColumns, graphLayout } from "#app/explorer/pages/graph/layout.ts";

/** `a>b` for a before b, `a*b` for a contains b. */
function edges(...texts: readonly string[]) {
  return texts.map((text) => {
    const [, source = "", sign, target = ""] = /^(\w+)([>*])(\w+)$/.exec(text) ?? [];
    const relationship = sign === "*" ? "contains" : "before";
    return { relationship, source_type: "R", source_title: source, target_type: "R", target_title: target };
  });
}

const of = (title: string) => ({ type: "R", title });

const columnsOf = (graph: Graph) =>
  Object.fromEntries(graph.nodes.map(({ resource, column }) => [resource.title, column]));

const linksOf = (graph: Graph) => graph.edges.map(({ from, to }) => `${from.slice(2, -1)}>${to.slice(2, -1)}`);

describe("the resources around one", () => {
  const all = edges("a>b", "b>c", "c>d", "d>e", "x>c", "c>y", "a>y", "box*c", "c*part");

  it("are those within some edges, in both directions, with the edges between them", () => {
    const one = neighbourhood(of("c"), all, { hops: 1, withContainers: false });
    expect(columnsOf(one)).toEqual({ c: 0, b: -1, x: -1, d: 1, y: 1 });
    expect(linksOf(one)).toEqual(["b>c", "c>d", "x>c", "c>y"]);
    const two = neighbourhood(of("c"), all, { hops: 2, withContainers: false });
    expect(columnsOf(two)).toEqual({ c: 0, b: -1, x: -1, d: 1, y: 1, a: -2, e: 2 });
    expect(linksOf(two)).toContain("a>y");
  });

  it("include containers only where that is wanted", () => {
    const graph = neighbourhood(of("c"), all, { hops: 1, withContainers: true });
    expect(columnsOf(graph)).toMatchObject({ box: -1, part: 1 });
  });

  it("are the nearest sixty where there are more, and the others are counted", () => {
    const many = edges(...Array.from({ length: 100 }, (_, at) => [`m>n${at}`, `n${at}>o${at}`]).flat());
    const graph = neighbourhood(of("m"), many, { hops: 2, withContainers: false });
    expect([graph.nodes.length, graph.leftOut]).toEqual([60, 141]);
    expect(new Set(graph.nodes.slice(1).map(({ column }) => column))).toEqual(new Set([1]));
    expect(graph.edges).toHaveLength(59);
  });

  it("end where edges lead in a circle", () => {
    const graph = neighbourhood(of("a"), edges("a>b", "b>a", "b>b"), { hops: 3, withContainers: false });
    expect(columnsOf(graph)).toEqual({ a: 0, b: 1 });
  });
});

describe("what was skipped because of a failure", () => {
  it("is a tree in which each resource follows the one that it waited for", () => {
    const graph = skipTree(of("f"), [
      { resource: of("a"), after: of("f") },
      { resource: of("b"), after: of("a") },
      { resource: of("c"), after: of("a") },
    ]);
    expect(columnsOf(graph)).toEqual({ f: 0, a: 1, b: 2, c: 2 });
    expect(linksOf(graph)).toEqual(["f>a", "a>b", "a>c"]);
  });
});

describe("the picture", () => {
  const graph = neighbourhood(of("c"), edges("a>c", "b>c", "c>d", "p>b", "q>a"), { hops: 2, withContainers: false });

  it("has the columns from left to right, and in each the resources beside what they are connected with", () => {
    expect(
      graphColumns(graph).map(({ column, nodes }) => [column, nodes.map(({ resource }) => resource.title)]),
    ).toEqual([
      [-2, ["q", "p"]],
      [-1, ["a", "b"]],
      [0, ["c"]],
      [1, ["d"]],
    ]);
  });

  it("has no two boxes at the same place, and all within its size", () => {
    const { places, width, height } = graphLayout(graph);
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(graph.nodes.length);
    for (const { x, y } of places.values()) {
      expect(x).toBeGreaterThan(0);
      expect(y).toBeGreaterThan(0);
      expect(x + 190).toBeLessThan(width);
      expect(y + 30).toBeLessThan(height);
    }
  });
});
