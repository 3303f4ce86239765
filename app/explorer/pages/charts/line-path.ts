/** A point of a line, px. */
export type PlotPoint = readonly [x: number, y: number];

/** The path of a line through points, for `d`. It is interrupted where there is none. */
export function linePath(points: readonly (PlotPoint | undefined)[]): string {
  return points
    .map((point, at) => {
      if (point === undefined) return "";
      const [x, y] = point;
      return `${points[at - 1] === undefined ? "M" : "L"}${rounded(x)},${rounded(y)}`;
    })
    .join("");
}

/** Nobody sees less than a hundredth of a pixel. */
function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
