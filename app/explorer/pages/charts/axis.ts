import { nice, ticks } from "d3-array";
import { timeTicks as localTicks, utcTicks } from "d3-time";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A tick of a time axis: it begins a day, or is a time within one. */
export interface TimeTick {
  readonly at: Date;
  readonly beginsDay: boolean;
}

/** Round times within a span, about `count` of them, by the clock of the zone. */
export function timeTicks(from: Date, to: Date, count: number, zone: "local" | "utc"): TimeTick[] {
  const found = zone === "utc" ? utcTicks(from, to, count) : localTicks(from, to, count);
  return found
    .filter((at) => at >= from && at <= to)
    .map((at) => ({
      at,
      beginsDay:
        zone === "utc"
          ? at.getTime() % 86_400_000 === 0
          : at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0,
    }));
}

/** A label of an axis, around its place. */
interface Placed {
  /** px from the left. */
  readonly place: number;
  readonly text: string;
  /** Where not all fit, those of the lowest rank are kept. */
  readonly rank: number;
}

/** px of a letter or digit of an axis, bold and as large as on the wall; px between two labels. */
const LETTER = 7;
const BETWEEN = 8;

/** The labels that fit beside each other: those of the lowest rank first, then from the left. */
export function fittingLabels<Label extends Placed>(labels: readonly Label[]): Label[] {
  const kept: Label[] = [];
  for (const label of labels.toSorted((one, other) => one.rank - other.rank)) {
    const isFree = kept.every(
      ({ place, text }) => Math.abs(place - label.place) >= ((text.length + label.text.length) * LETTER) / 2 + BETWEEN,
    );
    if (isFree) kept.push(label);
  }
  return labels.filter((label) => kept.includes(label));
}

/** Round whole numbers from 0 to at least `most`: about four, the last of them is the axis' end. */
export function countTicks(most: number): number[] {
  const [, end] = nice(0, Math.max(1, most), 3);
  const found = ticks(0, end, 3).filter(Number.isInteger);
  return found.at(-1) === end ? found : [...found, Math.ceil(end)];
}

/** Round numbers that include all of a span: about four, the first and last of them are the axis' ends. */
export function niceTicks(from: number, to: number): number[] {
  const [start, end] = nice(from, to === from ? from + 1 : to, 3);
  return ticks(start, end, 3);
}

/** Round numbers between two, about `count`. */
export function numberTicks(from: number, to: number, count: number): number[] {
  return from === to ? [from] : ticks(from, to, count);
}

/** Maps a span of values to a span of pixels. */
export function linear(from: number, to: number, start: number, end: number): (value: number) => number {
  const factor = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * factor;
}

/** The index of the span that a place is in; places outside belong to the first or last. @param edges ascending, one more than spans */
export function spanAt(edges: readonly number[], place: number): number {
  const beyond = edges.findIndex((edge) => edge > place);
  const last = Math.max(0, edges.length - 2);
  return beyond === -1 ? last : Math.min(last, Math.max(0, beyond - 1));
}

/** Edges halfway between places, so that each place has a span around it. */
export function edgesBetween(places: readonly number[], start: number, end: number): number[] {
  const middles = places.slice(1).map((place, index) => (place + (places[index] ?? place)) / 2);
  return [start, ...middles, end];
}

/** A share of a total: `42 %`, `0.3 %`, `< 0.1 %`; nothing where there is no total. */
export function shareText(count: number, total: number): string {
  if (total <= 0) return "";
  const percent = (100 * count) / total;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.1) return "< 0.1 %";
  if (percent > 99.9) return "> 99.9 %";
  return percent < 10 || percent > 99 ? `${percent.toFixed(1)} %` : `${Math.round(percent)} %`;
}

/** One part of a bar: distances from the baseline, px. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Parts of one stacked bar, from the baseline up. A part that counts anything is at least `least` px high, so that three
 * failures among a thousand runs are seen; the others give way when the bar would get too high.
 */
export function stackParts(counts: readonly number[], most: number, height: number, least = 2): Part[] {
  const scale = most === 0 ? 0 : height / most;
  const heights = counts.map((count) => (count <= 0 ? 0 : Math.max(least, count * scale)));
  const excess = Math.max(0, sum(heights) - height);
  const spare = sum(heights.map((one) => Math.max(0, one - least)));
  const factor = spare === 0 ? 1 : Math.max(0, 1 - excess / spare);
  let from = 0;
  return heights.map((one) => {
    const to = from + (one <= least ? one : least + (one - least) * factor);
    const part = { from, to };
    from = to;
    return part;
  });
}

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** How far Page Up and Page Down go. */
const PAGE = 10;

/** The mark in a row that a key moves to; undefined for other keys. @param at the present mark, if there is one */
export function movedTo(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at === undefined ? 0 : within(at + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return at === undefined ? count - 1 : within(at - 1);
    case "PageUp":
      return within((at ?? 0) + PAGE);
    case "PageDown":
      return within((at ?? count - 1) - PAGE);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

/** The width of an element, px; it changes with the window. 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** The look of a series: a colour and a texture, declared in `style/charts.css` and `patterns.tsx`. */
export type SeriesToken =
  | "failed"
  | "hidden"
  | "corrective"
  | "changed"
  | "pending"
  | "unchanged"
  | "silent"
  | "never"
  | "value"
  | "value-2"
  | "value-3"
  | "value-4";

/** One of the quantities that a chart shows side by side. */
export interface Series {
  readonly key: string;
  /** "failed" */
  readonly label: string;
  readonly token: SeriesToken;
}

/** What is known at one place of a line: x (ms since 1970 for times), then one number per series; null: none. */
export type LinePoint = readonly [x: number, ...values: (number | null)[]];

/** Looks of series that are no states, in the order in which they are given out. */
export const valueTokens: readonly SeriesToken[] = ["value", "value-2", "value-3", "value-4"];
