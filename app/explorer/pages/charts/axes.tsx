import type { JSX } from "preact";
import { formatTime } from "../time/format.ts";
import type { TimeTick } from "./axis.ts";

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
  return (
    <g class="chart-axis">
      {ticks.map(({ at, beginsDay }) => (
        <g key={at.getTime()}>
          <path d={`M${x(at)} ${y}v4`} />
          <text
            class={beginsDay ? "chart-day" : undefined}
            x={inside(x(at), left + 14, right - 22)}
            y={y + 15}
            text-anchor="middle"
          >
            {formatTime(at, beginsDay ? "dayOfYear" : "time")}
          </text>
        </g>
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
  return (
    <g class="chart-axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${x(tick)} ${y}v4`} />
          <text x={inside(x(tick), left + 10, right - 24)} y={y + 15} text-anchor="middle">
            {format(tick)}
          </text>
        </g>
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
