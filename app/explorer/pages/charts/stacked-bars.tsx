import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { formatTime } from "../time/format.ts";
import { countTicks, type Part, type Series, stackParts, sum } from "./axis.ts";
import { AxisChart } from "./axis-chart.tsx";
import { fillOf, SeriesPatterns, Swatch } from "./patterns.tsx";

/** Counts of one span of time: when it begins (ISO), then one count per series. */
export type Bucket = readonly [from: string, ...counts: number[]];

export interface StackedBarsProps {
  /** "Runs" */
  readonly label: string;
  /** What is counted: "runs". */
  readonly noun: string;
  /** From the baseline up. */
  readonly series: readonly Series[];
  /** In the order of time, without gaps. */
  readonly buckets: readonly Bucket[];
  /** Where the last bucket ends. */
  readonly to: Date;
  /** Whether the same things are counted in every span, so that the last counts are shown and not their sums. */
  readonly countsAnew?: boolean;
  /** Px, with the axis; default 150. */
  readonly height?: number;
  /** Called with a range of time that was selected. */
  readonly onRange?: ((from: Date, to: Date) => void) | undefined;
}

/** Counts over time, one bar per span of time with a part for each series. */
export function StackedBars({
  label,
  noun,
  series,
  buckets,
  to,
  countsAnew = false,
  height = 150,
  onRange,
}: StackedBarsProps): JSX.Element {
  const id = useId();
  const times = [...buckets.map(([from]) => new Date(from)), to];
  const totals = buckets.map(([, ...counts]) => sum(counts));
  const yTicks = countTicks(Math.max(0, ...totals));
  const [begin = to] = times;
  const select = (first: number, last: number): void => {
    const [from, end] = [times[first], times[last + 1]];
    if (from !== undefined && end !== undefined) onRange?.(from, end);
  };
  return (
    <AxisChart
      label={label}
      marks={`${buckets.length} spans of time`}
      height={height}
      x={{ kind: "time", from: begin.getTime(), to: to.getTime() }}
      yTicks={yTicks}
      edges={({ x }) => times.map((time) => x(time.getTime()))}
      reading={(index) => {
        const [, ...counts] = buckets[index] ?? [""];
        const parts = series.map((one, at) => `${(counts[at] ?? 0).toLocaleString()} ${one.label}`);
        return `${spanText(times, index)}: ${parts.join(", ")} ${noun}`;
      }}
      renderLegend={(reading) => {
        const read = reading ?? (countsAnew ? buckets.length - 1 : undefined);
        return (
          <>
            {series.map((one, at) => {
              const shown = read === undefined ? buckets : buckets.slice(read, read + 1);
              return (
                <span key={one.key} class="chart-key">
                  <Swatch id={id} token={one.token} />
                  {sum(shown.map((bucket) => Number(bucket[at + 1] ?? 0))).toLocaleString()} {one.label}
                </span>
              );
            })}
            <span class="muted">
              {read === undefined
                ? `${sum(totals).toLocaleString()} ${noun}`
                : `of ${(totals[read] ?? 0).toLocaleString()} ${noun}, ${spanText(times, read)}`}
              {reading === undefined && onRange !== undefined ? " · drag to select a time range" : ""}
            </span>
          </>
        );
      }}
      table={() => ({
        columns: ["from", ...series.map((one) => one.label), noun],
        rows: buckets.map(([from, ...counts]) => [formatTime(from), ...counts, sum(counts)]),
      })}
      onSelect={onRange === undefined ? undefined : select}
    >
      {({ x, top, bottom }) => (
        <>
          <SeriesPatterns id={id} series={series} />
          {buckets.map(([from, ...counts], index) => (
            <StackedBar
              key={from}
              id={id}
              series={series}
              parts={stackParts(counts, yTicks.at(-1) ?? 1, bottom - top)}
              left={x(times[index]?.getTime() ?? 0)}
              right={x(times[index + 1]?.getTime() ?? 0)}
              bottom={bottom}
            />
          ))}
        </>
      )}
    </AxisChart>
  );
}

interface StackedBarProps {
  readonly id: string;
  readonly series: readonly Series[];
  /** As they are stacked, one for each series. */
  readonly parts: readonly Part[];
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

function StackedBar({ id, series, parts, left, right, bottom }: StackedBarProps): JSX.Element {
  // Bars have gaps as long as there is space for them.
  const gap = right - left > 4 ? 1 : 0;
  return (
    <>
      {series.map(({ key, token }, at) => {
        const part = parts[at];
        if (part === undefined || part.to === part.from) return null;
        return (
          <rect
            key={key}
            class={`series-${token}`}
            x={left + gap / 2}
            y={bottom - part.to}
            width={Math.max(0.5, right - left - gap)}
            height={part.to - part.from}
            fill={fillOf(id, token)}
          />
        );
      })}
    </>
  );
}

/** "20 Nov, 11:45 – 12:00" */
function spanText(times: readonly Date[], index: number): string {
  const [from, to] = [times[index], times[index + 1]];
  if (from === undefined || to === undefined) return "";
  const sameDay = formatTime(from, "day") === formatTime(to, "day");
  return `${formatTime(from)} – ${formatTime(to, sameDay ? "time" : "minute")}`;
}
