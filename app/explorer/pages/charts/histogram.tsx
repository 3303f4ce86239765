import type { JSX } from "preact";
import { countTicks, shareText } from "./axis.ts";
import { AxisChart, compactNumber } from "./axis-chart.tsx";
import { type Bin, binsOf, type Counted, spreadOf, total } from "./bins.ts";

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

const TOP = 20;

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
  const bins = binsIn(values, unit);
  const spread = spreadOf(values);
  const all = total(values);
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  const textOf = (index: number): string => {
    const bin = bins[index];
    if (bin === undefined) return "";
    return `${rangeText(bin, bins, format)}: ${bin.count.toLocaleString()} ${noun} (${shareText(bin.count, all)})`;
  };
  const select = (from: number, to: number): void => {
    const [begin, end] = [bins[from], bins[to]];
    if (begin !== undefined && end !== undefined) onRange?.(begin.from, end.to, to === bins.length - 1);
  };
  return (
    <AxisChart
      label={label}
      marks={`${bins.length} ranges of values`}
      height={height}
      top={TOP}
      x={{ kind: "number", from: first, to: last, unit }}
      yTicks={countTicks(Math.max(0, ...bins.map(({ count }) => count)))}
      format={format}
      formatCount={compactNumber}
      edges={({ x, left, right }) => {
        if (bins.length === 0) return [left];
        return first === last ? [left, right] : [...bins.map(({ from }) => x(from)), x(last)];
      }}
      reading={textOf}
      renderLegend={(read) =>
        read !== undefined && read < bins.length ? (
          <span>{textOf(read)}</span>
        ) : spread === undefined ? null : (
          <>
            <span>median {format(spread.median)}</span>
            <span class="muted">
              5 % below {format(spread.low)} · 5 % above {format(spread.high)}
              {onRange === undefined ? "" : " · drag to select a range"}
            </span>
          </>
        )
      }
      table={() => ({
        columns: ["value", noun, "share"],
        rows: bins.map((bin) => [rangeText(bin, bins, format), bin.count, shareText(bin.count, all)]),
      })}
      onSelect={onRange === undefined ? undefined : select}
    >
      {({ x, y, left, right, bottom }) => (
        <>
          {bins.map(({ from, to, count }) => {
            const [begin, end] = first === last ? [left, right] : [x(from), x(to)];
            const bar = count === 0 ? 0 : Math.max(2, bottom - y(count));
            return (
              <rect
                key={from}
                class="series-value"
                x={begin + 0.5}
                y={bottom - bar}
                width={Math.max(0.5, end - begin - 1)}
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
        </>
      )}
    </AxisChart>
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
