import { describe, expect, it } from "vitest";
import { growthPlot } from "./plot.ts";
import { type Figure, figuresOf } from "./figure.ts";
import type { Unit } from "./scenario.ts";

function figures(name: string, unit: Unit, values: Readonly<Record<string, number>>): Figure[] {
  const metrics = Object.fromEntries(Object.keys(values).map((size) => [size, { unit }]));
  const samples = Object.fromEntries(Object.entries(values).map(([size, value]) => [size, [value]]));
  const scenario = { name, shows: "", metrics, measure: () => Promise.resolve({}) };
  return figuresOf({ ...scenario, metrics: { ...metrics, growth: { unit: "ratio" } } }, { ...samples, growth: [3] });
}

const seven = Array.from({ length: 7 }, (_, index) =>
  figures(`growth/queries/query-${index}`, "milliseconds", { "100 nodes": 1 + index, "1000 nodes": 5 + index }),
).flat();

/** Relative luminance, as WCAG 2 has it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("the plot of growth", () => {
  it("names every cost, its unit and the sizes, in panels with as many lines as can be told apart", async () => {
    const disk = figures("growth/store/disk", "bytes", { "100 nodes": 4e6, "1000 nodes": 3e7 });
    const drawn = (await growthPlot([...seven, ...disk])) ?? "";
    const texts = [...drawn.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    for (const text of ["query-0", "query-6", "disk", "queries (1 of 2)", "queries (2 of 2)", "store", "ms", "MB"]) {
      expect(texts).toContain(text);
    }
    expect(texts.filter((text) => text === "1,000")).toHaveLength(3);
    expect(texts).not.toContain("growth");
  });

  it("is legible on light and on dark ground", async () => {
    const drawn = (await growthPlot(seven)) ?? "";
    const used = new Set([...drawn.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour ?? ""));
    const colours = [...used].filter((colour) => colour !== "none" && colour !== "transparent");
    expect(colours.length).toBeGreaterThan(6);
    for (const colour of colours) {
      expect(colour).toMatch(/^#[\da-f]{6}$/);
      for (const ground of ["#ffffff", "#0d1117"]) expect(contrast(colour, ground)).toBeGreaterThan(3);
    }
  });

  it("is none where no growth was measured", async () => {
    expect(await growthPlot(figures("query/node", "milliseconds", { answer: 5 }))).toBeUndefined();
  });
});
