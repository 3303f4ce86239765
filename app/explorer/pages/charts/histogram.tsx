import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { compactNumber, CountAxis, NumberAxis } from "./axes.tsx";
import { countTicks, linear, numberTicks, shareText, useWidth } from "./axis.ts";
import { type Bin, binsOf, type Counted, spreadOf, total } from "./bins.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { Plot } from "./plot.tsx";

export interface HistogramProps {
  /** "Nodes by memorysize_mb" */
  readonly label: string;
  /** What is counted: "nodes". */
  readonly noun: string;
  readonly values: readonly Counted[];
  /** Writes a value; default: rounded to three significant digits. */
  readonly format?: (value: number) => string;
  /** Edges of the bins are round in this unit: 1024 ** 3 for bytes in gibibytes. Default: 1. */
  readonly unit?: number;
  /** Px, with the axis; default 170. */
  readonly height?: number;
  /** Called with a range of values that was selected: from ≤ value < to; the last bin has its end too. */
  readonly onRange?: ((from: number, to: number, withEnd: boolean) => void) | undefined;
}

const LEFT = 40;
const TOP = 20;
const AXIS = 20;

/** How numbers are spread, with their median and what 5 % and 95 % are below. */
export function Histogram({
  label,
  noun,
  values,
  format = compactNumber,
  unit = 1,
  height = 170,
  onRange,
}: HistogramProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [read, setRead] = useState<number | undefined>(undefined);
  const bins = binsIn(values, unit);
  const spread = spreadOf(values);
  const all = total(values);
  const yTicks = countTicks(Math.max(0, ...bins.map(({ count }) => count)));
  const bottom = height - AXIS;
  const y = linear(0, yTicks.at(-1) ?? 1, bottom, TOP);
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  const x = linear(first, last, LEFT, Math.max(LEFT, width - 1));
  const edges = first === last ? [LEFT, width] : [...bins.map(({ from }) => x(from)), x(last)];
  const shown = read === undefined ? undefined : bins[read];
  return (
    <ChartFrame
      label={label}
      legend={
        shown === undefined ? (
          spread === undefined ? null : (
            <>
              <span>median {format(spread.median)}</span>
              <span class="muted">
                5 % below {format(spread.low)} · 5 % above {format(spread.high)}
                {onRange === undefined ? "" : " · drag to select a range"}
              </span>
            </>
          )
        ) : (
          <span>{binText(shown, bins, format, noun, all)}</span>
        )
      }
      table={() => ({
        columns: ["value", noun, "share"],
        rows: bins.map((bin) => [rangeText(bin, bins, format), bin.count, shareText(bin.count, all)]),
      })}
    >
      <div ref={box} class="chart-box">
        <Plot
          label={`${label}, ${bins.length} ranges of values`}
          width={width}
          height={height}
          edges={bins.length === 0 ? [LEFT] : edges}
          top={TOP}
          bottom={bottom}
          read={(index) => (bins[index] === undefined ? "" : binText(bins[index], bins, format, noun, all))}
          onRead={setRead}
          onSelect={
            onRange === undefined
              ? undefined
              : (from, to) => {
                  const [begin, end] = [bins[from], bins[to]];
                  if (begin !== undefined && end !== undefined) onRange(begin.from, end.to, to === bins.length - 1);
                }
          }
        >
          <CountAxis ticks={yTicks} y={y} left={LEFT} right={width} />
          {bins.map(({ from, count }, index) => {
            const [left = 0, right = 0] = [edges[index], edges[index + 1]];
            const bar = count === 0 ? 0 : Math.max(2, bottom - y(count));
            return (
              <rect
                key={from}
                class="series-value"
                x={left + 0.5}
                y={bottom - bar}
                width={Math.max(0.5, right - left - 1)}
                height={bar}
                fill="currentColor"
              />
            );
          })}
          {spread === undefined || first === last ? null : (
            <g class="chart-quantiles">
              {(["low", "median", "high"] as const).map((name) => (
                <path key={name} class={`chart-${name}`} d={`M${x(spread[name])} ${TOP - 14}V${bottom}`} />
              ))}
              <text x={x(spread.median)} y={TOP - 6} dx="4">
                median
              </text>
            </g>
          )}
          <NumberAxis
            ticks={numberTicks(first / unit, last / unit, Math.max(2, width / 90)).map((tick) => tick * unit)}
            x={first === last ? () => (LEFT + width) / 2 : x}
            y={bottom}
            left={LEFT}
            right={width}
            format={format}
          />
        </Plot>
      </div>
    </ChartFrame>
  );
}

function binsIn(values: readonly Counted[], unit: number): Bin[] {
  if (unit === 1) return binsOf(values);
  return binsOf(values.map(({ value, count }) => ({ value: value / unit, count }))).map(({ from, to, count }) => ({
    from: from * unit,
    to: to * unit,
    count,
  }));
}

function rangeText({ from, to }: Bin, bins: readonly Bin[], format: (value: number) => string): string {
  // A bin of width 1 contains one whole number.
  const isWhole = bins.length > 1 && bins.every((bin) => bin.to - bin.from === 1 && Number.isInteger(bin.from));
  return from === to || isWhole ? format(from) : `${format(from)} – ${format(to)}`;
}

function binText(bin: Bin, bins: readonly Bin[], format: (value: number) => string, noun: string, all: number): string {
  return `${rangeText(bin, bins, format)}: ${bin.count.toLocaleString()} ${noun} (${shareText(bin.count, all)})`;
}
