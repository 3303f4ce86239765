import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Figure } from "./figure.ts";
import type { Unit } from "./scenario.ts";
import { sizeName } from "./scenarios/growth.ts";

/** A point of the plot: what something costs at a number of nodes. */
interface Point {
  readonly cost: string;
  readonly nodes: number;
  readonly value: number;
}

/** Lines in one panel at most: as many as there are colours that can be told apart on light and on dark ground. */
const LINES = 6;
const COLOURS = ["#2f7fd1", "#c8660a", "#1f8f5f", "#c2498f", "#8368cc", "#8a7a1c"];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
/** Everything that is not a line: legible on light and on dark ground as well. */
const INK = "#7d7d7d";

const WIDTH = 260;
const HEIGHT = 200;

/** What the axis of a panel says; bytes are shown in MB. */
const axes: Partial<Record<Unit, { readonly title: string; readonly scale: number }>> = {
  "ms/command": { title: "ms per command", scale: 1 },
  milliseconds: { title: "ms", scale: 1 },
  bytes: { title: "MB", scale: 1e-6 },
};

/**
 * The growth of costs as SVG: a panel for each kind, both axes logarithmic, so that what grows with the number of nodes
 * rises by a decade a decade.
 * @returns undefined where no growth was measured
 */
export async function growthPlot(figures: readonly Figure[]): Promise<string | undefined> {
  const scenarios = figures.filter(({ scenario }) => scenario.startsWith("growth/"));
  const kinds = Map.groupBy(scenarios, ({ scenario }) => scenario.split("/")[1] ?? "");
  const panels = [...kinds].flatMap(([kind, own]) => panelsOf(kind, own));
  if (panels.length === 0) return undefined;
  const spec: TopLevelSpec = {
    background: "transparent",
    columns: 2,
    concat: panels,
    config: {
      view: { stroke: null },
      axis: { labelColor: INK, titleColor: INK, domainColor: INK, tickColor: INK, gridColor: INK, gridOpacity: 0.2 },
      legend: { labelColor: INK, titleColor: INK, labelLimit: 220, symbolStrokeWidth: 2 },
      title: { color: INK, anchor: "start" },
      font: "sans-serif",
    },
    resolve: { scale: { color: "independent", shape: "independent" } },
  };
  return new View(parse(compile(spec).spec), { renderer: "none" }).toSVG();
}

type Panel = Extract<TopLevelSpec, { concat: unknown }>["concat"][number];

function panelsOf(kind: string, figures: readonly Figure[]): Panel[] {
  const units = Map.groupBy(figures, ({ unit }) => unit);
  return [...units].flatMap(([unit, own]) => {
    const axis = axes[unit];
    if (axis === undefined) return [];
    const points = own.flatMap((figure) => pointOf(figure, axis.scale));
    const names = [...new Set(points.map(({ cost }) => cost))];
    const parts = Math.ceil(names.length / LINES);
    return Array.from({ length: parts }, (_, part) => {
      const shown = names.slice(part * LINES, (part + 1) * LINES);
      const title = parts === 1 ? kind : `${kind} (${part + 1} of ${parts})`;
      return panel(
        title,
        axis.title,
        points.filter(({ cost }) => shown.includes(cost)),
      );
    });
  });
}

function pointOf({ scenario, metric, statistics }: Figure, scale: number): Point[] {
  const nodes = Number.parseInt(metric, 10);
  if (metric !== sizeName(nodes)) return [];
  return [{ cost: scenario.split("/").slice(2).join("/"), nodes, value: statistics.median * scale }];
}

function panel(title: string, unit: string, points: readonly Point[]): Panel {
  const sizes = [...new Set(points.map(({ nodes }) => nodes))];
  const names = [...new Set(points.map(({ cost }) => cost))];
  const range = <T>(of: readonly T[]): T[] => of.slice(0, names.length);
  return {
    title,
    width: WIDTH,
    height: HEIGHT,
    data: { values: points.map((point) => ({ ...point })) },
    mark: { type: "line", point: { size: 50, filled: true } },
    encoding: {
      x: {
        field: "nodes",
        type: "quantitative",
        scale: { type: "log", nice: false },
        axis: { values: sizes, format: ",d", title: "nodes" },
      },
      y: {
        field: "value",
        type: "quantitative",
        scale: { type: "log", nice: true },
        axis: { title: unit, format: "~g", tickCount: 5 },
      },
      color: { field: "cost", type: "nominal", scale: { domain: names, range: range(COLOURS) }, title: null },
      shape: { field: "cost", type: "nominal", scale: { domain: names, range: range(SHAPES) }, title: null },
    },
  };
}
