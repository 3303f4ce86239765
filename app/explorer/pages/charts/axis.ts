import { nice, ticks } from "d3-array";
import { timeTicks as localTicks, utcTicks } from "d3-time";

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
