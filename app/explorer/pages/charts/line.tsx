import { line as lineShape } from "d3-shape";
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { formatTime, zone } from "../time/format.ts";
import { compactNumber, CountAxis, NumberAxis, TimeAxis } from "./axes.tsx";
import {
  edgesBetween,
  linear,
  type LinePoint,
  niceTicks,
  numberTicks,
  type Series,
  timeTicks,
  useWidth,
} from "./axis.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { SeriesPatterns, Swatch } from "./patterns.tsx";
import { Plot } from "./plot.tsx";

export interface LineProps {
  readonly label: string;
  readonly series: readonly Series[];
  /** Ascending by x. */
  readonly points: readonly LinePoint[];
  readonly x: "time" | "number";
  /** Writes a value; default: compact. */
  readonly format?: (value: number) => string;
  /** Px, with the axis; default 170. */
  readonly height?: number;
}

const LEFT = 48;
const TOP = 8;
const AXIS = 20;

/** Numbers over time, or over another number, one line per series. */
export function Line({ label, series, points, x: kind, format = compactNumber, height = 170 }: LineProps): JSX.Element {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [read, setRead] = useState<number | undefined>(undefined);
  const [first, last] = extremes(points.map(([place]) => place));
  const [lowest, highest] = extremes(points.flatMap(([, ...values]) => values.filter((value) => value !== null)));
  const yTicks = niceTicks(Math.min(0, lowest), highest);
  const bottom = height - AXIS;
  const right = Math.max(LEFT, width - 4);
  const x = linear(first, last, first === last ? (LEFT + right) / 2 : LEFT + 4, right);
  const y = linear(yTicks[0] ?? 0, yTicks.at(-1) ?? 1, bottom, TOP);
  const places = points.map(([place]) => x(place));
  const xText = (place: number): string => (kind === "time" ? formatTime(new Date(place), "second") : format(place));
  const valueText = (value: number | null | undefined): string => (typeof value === "number" ? format(value) : "–");
  const shown = read === undefined ? points.at(-1) : points[read];
  return (
    <ChartFrame
      label={label}
      legend={
        <>
          {series.map((one, at) => (
            <span key={one.key} class="chart-key">
              <Swatch id={id} token={one.token} />
              {one.label} {valueText(shown?.[at + 1])}
            </span>
          ))}
          <span class="muted">
            {shown === undefined ? "no values" : `${read === undefined ? "last, " : ""}${xText(shown[0])}`}
          </span>
        </>
      }
      table={() => ({
        columns: [kind, ...series.map((one) => one.label)],
        rows: points.map(([place, ...values]) => [xText(place), ...values.map((value) => valueText(value))]),
      })}
    >
      <div ref={box} class="chart-box">
        <Plot
          label={`${label}, ${points.length} points`}
          width={width}
          height={height}
          edges={points.length === 0 ? [LEFT] : edgesBetween(places, LEFT, right)}
          top={TOP}
          bottom={bottom}
          read={(index) =>
            `${xText(points[index]?.[0] ?? 0)}: ${series.map((one, at) => `${one.label} ${valueText(points[index]?.[at + 1])}`).join(", ")}`
          }
          onRead={setRead}
        >
          <SeriesPatterns id={id} series={series} />
          <CountAxis ticks={yTicks} y={y} left={LEFT} right={width} format={format} />
          {series.map((one, at) => (
            <SeriesLine
              key={one.key}
              series={one}
              marked={read}
              places={points.map(([place, ...values]) => {
                const value = values[at] ?? null;
                return value === null ? undefined : ([x(place), y(value)] as const);
              })}
            />
          ))}
          {kind === "time" ? (
            <TimeAxis
              ticks={timeTicks(new Date(first), new Date(last), Math.max(2, width / 90), zone.value)}
              x={(time) => x(time.getTime())}
              y={bottom}
              left={LEFT}
              right={width}
            />
          ) : (
            <NumberAxis
              ticks={numberTicks(first, last, Math.max(2, width / 90))}
              x={x}
              y={bottom}
              left={LEFT}
              right={width}
              format={format}
            />
          )}
        </Plot>
      </div>
    </ChartFrame>
  );
}

/** Few points are marked each, so that one alone is seen too. */
const MARKED = 40;

interface SeriesLineProps {
  readonly series: Series;
  /** The point that is read. */
  readonly marked: number | undefined;
  readonly places: readonly (readonly [number, number] | undefined)[];
}

function SeriesLine({ series: { token }, marked, places }: SeriesLineProps): JSX.Element {
  const draw = lineShape<readonly [number, number] | undefined>()
    .defined((place) => place !== undefined)
    .x((place) => place?.[0] ?? 0)
    .y((place) => place?.[1] ?? 0);
  return (
    <g class={`chart-line chart-line-${token} series-${token}`}>
      <path d={draw([...places]) ?? ""} />
      {places.map((place, index) =>
        place !== undefined && (places.length <= MARKED || index === marked) ? (
          // Points have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <circle key={index} cx={place[0]} cy={place[1]} r={index === marked ? 4 : 2} fill="currentColor" />
        ) : null,
      )}
    </g>
  );
}

/** The least and the greatest of some numbers; 0 where there is none. */
function extremes(values: readonly number[]): readonly [number, number] {
  const [first = 0] = values;
  return [
    values.reduce((one, other) => Math.min(one, other), first),
    values.reduce((one, other) => Math.max(one, other), first),
  ];
}
