import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { formatTime, zone } from "../time/format.ts";
import { countTicks, linear, type Series, stackParts, sum, timeTicks, useWidth } from "./axis.ts";
import { CountAxis, TimeAxis } from "./axes.tsx";
import { ChartFrame } from "./chart-frame.tsx";
import { fillOf, SeriesPatterns, Swatch } from "./patterns.tsx";
import { Plot } from "./plot.tsx";

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
  /** Px, with the axis; default 150. */
  readonly height?: number;
  /** Called with a range of time that was selected. */
  readonly onRange?: ((from: Date, to: Date) => void) | undefined;
}

const LEFT = 40;
const TOP = 8;
const AXIS = 20;

/** Counts over time, one bar per span of time with a part for each series. */
export function StackedBars({
  label,
  noun,
  series,
  buckets,
  to,
  height = 150,
  onRange,
}: StackedBarsProps): JSX.Element {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [read, setRead] = useState<number | undefined>(undefined);
  const starts = buckets.map(([from]) => new Date(from));
  const times = [...starts, to];
  const totals = buckets.map(([, ...counts]) => sum(counts));
  const yTicks = countTicks(Math.max(0, ...totals));
  const most = yTicks.at(-1) ?? 1;
  const bottom = height - AXIS;
  const x = linear(times[0]?.getTime() ?? 0, to.getTime(), LEFT, Math.max(LEFT, width - 1));
  const edges = times.map((time) => x(time.getTime()));
  const reading = (index: number): string => {
    const [, ...counts] = buckets[index] ?? [""];
    const parts = series.map((one, at) => `${(counts[at] ?? 0).toLocaleString()} ${one.label}`);
    return `${spanText(times, index)}: ${parts.join(", ")} ${noun}`;
  };
  const shown = read === undefined ? undefined : buckets[read];
  return (
    <ChartFrame
      label={label}
      legend={
        <>
          {series.map((one, at) => {
            const count =
              shown === undefined ? sum(buckets.map((bucket) => Number(bucket[at + 1] ?? 0))) : (shown[at + 1] ?? 0);
            return (
              <span key={one.key} class="chart-key">
                <Swatch id={id} token={one.token} />
                {Number(count).toLocaleString()} {one.label}
              </span>
            );
          })}
          <span class="muted">
            {read === undefined
              ? `${sum(totals).toLocaleString()} ${noun}${onRange === undefined ? "" : " · drag to select a time range"}`
              : `of ${(totals[read] ?? 0).toLocaleString()} ${noun}, ${spanText(times, read)}`}
          </span>
        </>
      }
      table={() => ({
        columns: ["from", ...series.map((one) => one.label), noun],
        rows: buckets.map(([from, ...counts]) => [formatTime(from), ...counts, sum(counts)]),
      })}
    >
      <div ref={box} class="chart-box">
        <Plot
          label={`${label}, ${buckets.length} spans of time`}
          width={width}
          height={height}
          edges={edges}
          top={TOP}
          bottom={bottom}
          read={reading}
          onRead={setRead}
          onSelect={
            onRange === undefined
              ? undefined
              : (first, last) => {
                  const [from, end] = [times[first], times[last + 1]];
                  if (from !== undefined && end !== undefined) onRange(from, end);
                }
          }
        >
          <SeriesPatterns id={id} series={series} />
          <CountAxis ticks={yTicks} y={linear(0, most, bottom, TOP)} left={LEFT} right={width} />
          {buckets.map(([from, ...counts], index) => (
            <StackedBar
              key={from}
              id={id}
              series={series}
              counts={counts}
              most={most}
              left={edges[index] ?? 0}
              right={edges[index + 1] ?? 0}
              bottom={bottom}
            />
          ))}
          {times[0] === undefined ? null : (
            <TimeAxis
              ticks={timeTicks(times[0], to, Math.max(2, width / 90), zone.value)}
              x={(time) => x(time.getTime())}
              y={bottom}
              left={LEFT}
              right={width}
            />
          )}
        </Plot>
      </div>
    </ChartFrame>
  );
}

interface StackedBarProps {
  readonly id: string;
  readonly series: readonly Series[];
  readonly counts: readonly number[];
  readonly most: number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

function StackedBar({ id, series, counts, most, left, right, bottom }: StackedBarProps): JSX.Element {
  // Bars have gaps as long as there is space for them.
  const gap = right - left > 4 ? 1 : 0;
  const parts = stackParts(counts, most, bottom - TOP);
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
