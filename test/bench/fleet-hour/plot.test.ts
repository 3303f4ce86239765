import { describe, expect, it } from "vitest";
import { type Panel, type Plot, plotText } from "./plot.ts";

const panel: Panel = {
  title: "Wait & more",
  unit: "s",
  scale: "linear",
  series: [{ label: "one", colour: "#123456", values: [0, 1, null, 2, 2, 0] }],
  bars: [{ label: "two seconds", value: 2 }],
};

const plot: Plot = {
  title: "a plot",
  minutes: 60,
  panels: [panel],
  bands: [
    { label: "maintenance", colour: "#eeeeee", from: 15, to: 30 },
    { label: "compaction", colour: "#ffeecc", from: 30, to: 30.001 },
  ],
};

/** The elements of a kind, each with its attributes. */
function elements(svg: string, pattern: RegExp): Record<string, string>[] {
  return [...svg.matchAll(pattern)].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value])),
  );
}

/** The parts of a curve, each as its points. */
function curvesOf(svg: string): number[][][] {
  return elements(svg, /<path class="series"[^>]*>/g).map(({ d = "" }) =>
    d
      .split("M")
      .slice(1)
      .flatMap((part) => part.split("L").map((point) => point.replace("Z", "").split(",").map(Number))),
  );
}

/** The middle of one of six intervals: they are from 72 to 940. */
function middle(index: number): number {
  return 72 + ((index + 0.5) * (940 - 72)) / 6;
}

describe("a plot", () => {
  it("draws each value in the middle of its interval, and leaves a gap where there is none", () => {
    const svg = plotText(plot);
    const [points = []] = curvesOf(svg);
    expect(points.map(([x]) => x)).toEqual([0, 1, 3, 4, 5].map((index) => Number(middle(index).toFixed(1))));
    const heights = points.map(([, y]) => y);
    expect(heights[0]).toBe(heights[4]);
    expect(heights[1]).toBeLessThan(heights[0] ?? 0);
    expect(heights[2]).toBeLessThan(heights[1] ?? 0);
    expect(svg.match(/<path class="series" d="M[^"]*M/)).not.toBeNull();
  });

  it("draws a bar at the height of its value", () => {
    const svg = plotText(plot);
    const [bar] = elements(svg, /<line [^>]*class="bar"[^>]*>/g);
    const [points = []] = curvesOf(svg);
    // Two is the fourth value too.
    expect(Number(bar?.["y1"])).toBeCloseTo(points[2]?.[1] ?? 0, 1);
    expect(svg).toContain(">two seconds</text>");
  });

  it("shades what happened in every panel, wide enough to be seen, and explains each colour once", () => {
    const svg = plotText({ ...plot, panels: [panel, panel] });
    const bands = elements(svg, /<rect class="band"[^>]*>/g);
    expect(bands).toHaveLength(4);
    expect(bands[0]).toMatchObject({ x: "289", width: "217", fill: "#eeeeee" });
    expect(Number(bands[1]?.["width"])).toBeGreaterThanOrEqual(1);
    expect(svg.match(/class="legend"/g)).toHaveLength(2);
  });

  it("has equal distances between powers of ten on a logarithmic axis", () => {
    const values = [1, 10, 100, 1000];
    const svg = plotText({
      ...plot,
      panels: [{ ...panel, scale: "log", series: [{ label: "", colour: "#000", values }] }],
    });
    const [points = []] = curvesOf(svg);
    const steps = points.slice(1).map(([, y = 0], index) => (points[index]?.[1] ?? 0) - y);
    expect(steps).toHaveLength(3);
    for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 0);
    expect(steps[0]).toBeGreaterThan(10);
    for (const mark of ["1", "10", "100", "1,000"]) expect(svg).toContain(`>${mark}</text>`);
  });

  it("has a white background and escaped texts", () => {
    const svg = plotText(plot);
    expect(svg).toMatch(/^<svg [^>]*>\n {2}<rect width="960" height="\d+" fill="#ffffff"\/>/);
    expect(svg).toContain(">Wait &amp; more, s</text>");
    expect(svg).toContain(">minutes</text>");
  });

  it("is drawn without any value", () => {
    const svg = plotText({ ...plot, panels: [{ ...panel, series: [], bars: [] }], bands: [] });
    expect(svg).not.toMatch(/NaN|Infinity/);
  });
});
