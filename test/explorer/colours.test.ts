import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Triple = readonly [number, number, number];

const sheet = readFileSync(join(import.meta.dirname, "../../app/explorer/pages/style/base.css"), "utf8");

/** Every colour token, light and dark. */
const tokens = new Map(
  [...sheet.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

const schemes = ["light", "dark"] as const;
const states = ["failed", "corrective", "changed", "pending", "unchanged", "silent"] as const;

function linear(token: string, scheme: (typeof schemes)[number]): Triple {
  const hex = tokens.get(token)?.[scheme] ?? "";
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function times(matrix: readonly Triple[], [a, b, c]: Triple): Triple {
  const [x = NaN, y = NaN, z = NaN] = matrix.map(([first, second, third]) => first * a + second * b + third * c);
  return [x, y, z];
}

/** WCAG 2.2, 1.4.3. */
function contrast(one: Triple, other: Triple): number {
  const luminance = ([red, green, blue]: Triple): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [dark = NaN, light = NaN] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Björn Ottosson's OKLab, from linear sRGB. */
function oklab(colour: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour,
  ).map((value) => Math.cbrt(Math.max(0, value)));
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones as unknown as Triple,
  );
}

function distance(one: Triple, other: Triple): number {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** What people with a colour vision deficiency see (Machado, Oliveira and Fernandes 2009, severity 1), in linear sRGB. */
const sight: Readonly<Record<string, readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

describe("colours of the explorer", () => {
  it("are all read from the style sheet", () => {
    const used = [...states, "ground", "raised", "text", "muted", "link", "field"];
    expect(used.filter((name) => !tokens.has(name))).toStrictEqual([]);
  });

  it.each(schemes)("have a contrast of at least 4.5 on both grounds (%s)", (scheme) => {
    for (const ink of [...states, "text", "muted", "link"]) {
      for (const ground of ["ground", "raised"]) {
        expect(contrast(linear(ink, scheme), linear(ground, scheme)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(
          4.5,
        );
      }
    }
    expect(contrast(linear("field", scheme), linear("ground", scheme)), "border of fields").toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["light", 0.08],
    ["dark", 0.1],
  ] as const)("of two states can be distinguished with any colour vision (%s)", (scheme, least) => {
    for (const [name, matrix] of Object.entries(sight)) {
      for (const [index, one] of states.entries()) {
        for (const other of states.slice(index + 1)) {
          const seen = distance(times(matrix, linear(one, scheme)), times(matrix, linear(other, scheme)));
          expect(seen, `${one} and ${other}, ${name}`).toBeGreaterThanOrEqual(least);
        }
      }
    }
  });
});
