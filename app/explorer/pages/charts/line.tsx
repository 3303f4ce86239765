import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { formatTime } from "../time/format.ts";
import { edgesBetween, type LinePoint, niceTicks, type Series } from "./axis.ts";
import { AxisChart, compactNumber } from "./axis-chart.tsx";
import { SeriesPatterns, Swatch } from "./patterns.tsx";

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

/** Numbers over time, or over another number, one line per series. */
export function Line({ label, series, points, x: kind, format = compactNumber, height = 170 }: LineProps): JSX.Element {
  const id = useId();
  const [from, to] = extremes(points.map(([place]) => place));
  const [lowest, highest] = extremes(points.flatMap(([, ...values]) => values.filter((value) => value !== null)));
  const xText = (place: number): string => (kind === "time" ? formatTime(new Date(place), "minute") : format(place));
  const valueText = (value: number | null | undefined): string => (typeof value === "number" ? format(value) : "–");
  return (
    <AxisChart
      label={label}
      marks={`${points.length} points`}
      height={height}
      x={{ kind, from, to }}
      yTicks={niceTicks(Math.min(0, lowest), highest)}
      format={format}
      edges={({ x, left, right }) =>
        points.length === 0
          ? [left]
          : edgesBetween(
              points.map(([place]) => x(place)),
              left,
              right,
            )
      }
      reading={(index) =>
        `${xText(points[index]?.[0] ?? 0)}: ${series.map((one, at) => `${one.label} ${valueText(points[index]?.[at + 1])}`).join(", ")}`
      }
      renderLegend={(read) => {
        const shown = read === undefined ? points.at(-1) : points[read];
        return (
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
        );
      }}
      table={() => ({
        columns: [kind, ...series.map((one) => one.label)],
        rows: points.map(([place, ...values]) => [xText(place), ...values.map((value) => valueText(value))]),
      })}
    >
      {({ x, y, read }) => (
        <>
          <SeriesPatterns id={id} series={series} />
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
        </>
      )}
    </AxisChart>
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
  return (
    <g class={`chart-line chart-line-${token} series-${token}`}>
      <path d={pathOf(places)} />
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

/** The line through places, with a gap where there is none; a place between two gaps is a dot. */
function pathOf(places: SeriesLineProps["places"]): string {
  return places
    .map((place, index) => {
      if (place === undefined) return "";
      if (places[index - 1] !== undefined) return `L${place.join(" ")}`;
      return `M${place.join(" ")}${places[index + 1] === undefined ? "h0" : ""}`;
    })
    .join("");
}

/** The least and the greatest of some numbers; 0 where there is none. */
function extremes(values: readonly number[]): readonly [number, number] {
  const [first = 0] = values;
  return [
    values.reduce((one, other) => Math.min(one, other), first),
    values.reduce((one, other) => Math.max(one, other), first),
  ];
}
