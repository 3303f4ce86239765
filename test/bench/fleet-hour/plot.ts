import { ticks } from "d3-array";
import { line } from "d3-shape";

/** A curve. */
export interface Series {
  readonly label: string;
  readonly colour: string;
  /** of each interval; null leaves a gap */
  readonly values: readonly (number | null)[];
}

/** One of several diagrams above each other, which have the minutes in common. */
export interface Panel {
  readonly title: string;
  /** of the vertical axis */
  readonly unit: string;
  readonly scale: "linear" | "log";
  readonly series: readonly Series[];
  /** what values should stay below */
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

/** A time in which something happened, in minutes. */
export interface Band {
  readonly label: string;
  readonly colour: string;
  readonly from: number;
  readonly to: number;
}

export interface Plot {
  readonly title: string;
  readonly minutes: number;
  readonly panels: readonly Panel[];
  readonly bands: readonly Band[];
}

const WIDTH = 960;
const PLACE = { left: 72, right: 940, top: 64, height: 130, apart: 188 };
const TEXT = "#24292f";
const GRID = "#e3e6ea";
const BAR = "#b00020";

/** Ticks on an axis, about. */
const TICKS = { minutes: 12, values: 4 };

/** The least width of a band, in minutes for an hour, so that short ones can be seen. */
const LEAST_BAND = 0.08;

/** The room above the greatest value of a logarithmic axis, as a power of ten. */
const LEAST_ROOM = 0.1;

/** Numbers to pixels. */
type Scale = (value: number) => number;

/** A picture for pages with a light or a dark background: it has a white one itself. */
export function plotText({ title, minutes, panels, bands }: Plot): string {
  const x = scaleOf([0, minutes], [PLACE.left, PLACE.right]);
  const height = PLACE.top + panels.length * PLACE.apart + 6;
  const parts = [
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(PLACE.left, 24, title, 'font-size="16" font-weight="600"'),
    ...legend(bands),
    ...panels.flatMap((panel, index) => panelParts(panel, PLACE.top + index * PLACE.apart, { x, minutes, bands })),
    text((PLACE.left + PLACE.right) / 2, height - 12, "minutes", 'text-anchor="middle"'),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"` +
      ` font-family="system-ui, sans-serif" font-size="12" fill="${TEXT}">`,
    ...parts.map((part) => `  ${part}`),
    "</svg>\n",
  ].join("\n");
}

interface Frame {
  readonly x: Scale;
  readonly minutes: number;
  readonly bands: readonly Band[];
}

function panelParts({ title, unit, scale, series, bars }: Panel, top: number, { x, minutes, bands }: Frame): string[] {
  const [above, below] = [top + 22, top + 22 + PLACE.height];
  const values = [...series.flatMap((each) => each.values), ...bars.map(({ value }) => value)].filter(
    (value) => value !== null,
  );
  const { y, marks } = axisOf(scale, values, [below, above]);
  const every = series.map(({ values }) => minutes / values.length);
  return [
    text(PLACE.left, top + 12, `${title}, ${unit}`, 'font-weight="600"'),
    ...series.map(({ label, colour }, index) =>
      text(PLACE.right - (series.length - 1 - index) * 150, top + 12, label, `text-anchor="end" fill="${colour}"`),
    ),
    ...bands.map(({ colour, from, to }) => {
      const width = Math.max(to - from, (LEAST_BAND * minutes) / 60);
      return `<rect class="band" x="${px(x(from))}" y="${above}" width="${px(x(from + width) - x(from))}" height="${PLACE.height}" fill="${colour}"/>`;
    }),
    ...marks.flatMap((mark) => [
      horizontal(y(mark), `stroke="${GRID}"`),
      text(PLACE.left - 8, y(mark) + 4, mark.toLocaleString("en"), 'text-anchor="end"'),
    ]),
    ...ticks(0, minutes, TICKS.minutes).flatMap((minute) => [
      `<line x1="${px(x(minute))}" x2="${px(x(minute))}" y1="${below}" y2="${below + 4}" stroke="${TEXT}"/>`,
      text(x(minute), below + 17, String(minute), 'text-anchor="middle"'),
    ]),
    ...series.map(
      ({ values, colour }, index) =>
        `<path class="series" d="${curve(values, { x, y, every: every[index] ?? 1 })}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-linejoin="round"/>`,
    ),
    ...bars.flatMap(({ label, value }) => [
      horizontal(y(value), `class="bar" stroke="${BAR}" stroke-dasharray="5 4"`),
      text(
        PLACE.left + 6,
        y(value) - 4,
        label,
        `fill="${BAR}" font-size="11" stroke="#ffffff" stroke-width="3" paint-order="stroke"`,
      ),
    ]),
    horizontal(below, `stroke="${TEXT}"`),
  ];
}

function curve(
  values: readonly (number | null)[],
  { x, y, every }: { readonly x: Scale; readonly y: Scale; readonly every: number },
): string {
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x((index + 0.5) * every))
    .y((value) => y(value ?? 0))
    .digits(1);
  return path(values) ?? "";
}

/** An axis that has all values, from the bottom to the top, and its marks. */
function axisOf(
  scale: Panel["scale"],
  values: readonly number[],
  pixels: readonly [number, number],
): { readonly y: Scale; readonly marks: readonly number[] } {
  const most = Math.max(...values, 0);
  if (scale === "linear") {
    const y = scaleOf([0, most === 0 ? 1 : most * 1.08], pixels);
    return { y, marks: ticks(0, most === 0 ? 1 : most * 1.08, TICKS.values) };
  }
  const powers = values.filter((value) => value > 0).map(Math.log10);
  const [from, to] = [Math.floor(Math.min(...powers, 0)), Math.ceil(Math.max(...powers, 1) + LEAST_ROOM)];
  const y = scaleOf([from, to], pixels);
  // Nothing takes no time at all: what is below the axis is drawn on it.
  return {
    y: (value) => y(Math.max(from, Math.log10(value))),
    marks: Array.from({ length: to - from + 1 }, (_, power) => 10 ** (from + power)),
  };
}

function scaleOf([from, to]: readonly [number, number], [first, last]: readonly [number, number]): Scale {
  return (value) => first + ((value - from) / (to - from)) * (last - first);
}

/** What each colour of the bands means. */
function legend(bands: readonly Band[]): string[] {
  const kinds = [...new Map(bands.map(({ label, colour }) => [label, colour]))];
  return kinds.flatMap(([label, colour], index) => {
    const left = PLACE.left + index * 150;
    return [
      `<rect x="${left}" y="37" width="14" height="14" fill="${colour}"/>`,
      text(left + 20, 48, label, 'class="legend"'),
    ];
  });
}

function horizontal(y: number, attributes: string): string {
  return `<line x1="${PLACE.left}" x2="${PLACE.right}" y1="${px(y)}" y2="${px(y)}" ${attributes}/>`;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${px(x)}" y="${px(y)}" ${attributes}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
