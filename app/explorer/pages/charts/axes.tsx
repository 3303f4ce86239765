import type { JSX } from "preact";
import { formatTime } from "../time/format.ts";
import { fittingLabels, type TimeTick } from "./axis.ts";

interface CountAxisProps {
  readonly ticks: readonly number[];
  readonly y: (count: number) => number;
  readonly left: number;
  readonly right: number;
  readonly format?: (value: number) => string;
}

/** Numbers at the left, with hairlines across. */
export function CountAxis({ ticks, y, left, right, format = compactNumber }: CountAxisProps): JSX.Element {
  return (
    <g class="chart-axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${left} ${y(tick)}H${right}`} />
          <text x={left - 6} y={y(tick)} dy="0.350em" text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface TimeAxisProps {
  readonly ticks: readonly TimeTick[];
  readonly x: (time: Date) => number;
  /** The baseline, px from the top. */
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** Times below; days where they begin. */
export function TimeAxis({ ticks, x, y, left, right }: TimeAxisProps): JSX.Element {
  const labels = ticks.map(({ at, beginsDay }) => {
    const place = inside(x(at), left + 14, right - 22);
    const text = formatTime(at, beginsDay ? "dayOfYear" : "time");
    return { place, text, beginsDay, rank: beginsDay ? 0 : place === x(at) ? 1 : 2 };
  });
  return (
    <g class="chart-axis">
      {ticks.map(({ at }) => (
        <path key={at.getTime()} d={`M${x(at)} ${y}v4`} />
      ))}
      {fittingLabels(labels).map(({ place, text, beginsDay }) => (
        <text key={place} class={beginsDay ? "chart-day" : undefined} x={place} y={y + 15} text-anchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

interface NumberAxisProps {
  readonly ticks: readonly number[];
  readonly x: (value: number) => number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly format: (value: number) => string;
}

/** Numbers below. */
export function NumberAxis({ ticks, x, y, left, right, format }: NumberAxisProps): JSX.Element {
  const labels = ticks.map((tick) => {
    const place = inside(x(tick), left + 10, right - 24);
    return { place, text: format(tick), rank: place === x(tick) ? 0 : 1 };
  });
  return (
    <g class="chart-axis">
      {ticks.map((tick) => (
        <path key={tick} d={`M${x(tick)} ${y}v4`} />
      ))}
      {fittingLabels(labels).map(({ place, text }) => (
        <text key={place} x={place} y={y + 15} text-anchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

function inside(place: number, left: number, right: number): number {
  return Math.max(left, Math.min(right, place));
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `950`, `12K`, `1.2M` */
export function compactNumber(value: number): string {
  return Math.abs(value) < 10_000 ? value.toLocaleString("en", { maximumFractionDigits: 2 }) : compact.format(value);
}
