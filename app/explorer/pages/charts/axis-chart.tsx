import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { SmallTable } from "../list/small-table.tsx";
import { formatTime, zone } from "../time/format.ts";
import { fittingLabels, linear, numberTicks, timeTicks, useWidth } from "./axis.ts";
import { Plot } from "./plot.tsx";

/** The numbers of a chart as a table; the first column names the row. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Where things are drawn, px from the top left. */
export interface Drawing {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The mark that is read. */
  readonly read: number | undefined;
}

export interface AxisChartProps {
  /** What is shown: "Runs per 15 min". */
  readonly label: string;
  /** How many marks there are: "24 spans of time". */
  readonly marks: string;
  /** Px, with the axis. */
  readonly height: number;
  /** Px above the marks; default 8. */
  readonly top?: number;
  readonly x: {
    readonly kind: "time" | "number";
    /** ms since 1970 for times. */
    readonly from: number;
    readonly to: number;
    /** Ticks are round in it; default 1. */
    readonly unit?: number;
  };
  /** At the left, with hairlines across; the first and the last are the axis' ends. */
  readonly yTicks: readonly number[];
  /** Writes a number; default: compact. */
  readonly format?: (value: number) => string;
  /** Writes one at the left; default: as the others. */
  readonly formatCount?: (value: number) => string;
  /** The edges of the marks, px; one more than there are marks. */
  readonly edges: (drawing: Omit<Drawing, "read">) => readonly number[];
  /** What a mark says. */
  readonly reading: (index: number) => string;
  /** Above the chart; it also shows what is read. */
  readonly renderLegend: (read: number | undefined) => ComponentChildren;
  readonly table: () => ChartTable;
  /** Called with the first and last mark of a selection. Without it nothing can be selected. */
  readonly onSelect?: ((first: number, last: number) => void) | undefined;
  readonly children: (drawing: Drawing) => ComponentChildren;
}

const LEFT = 44;
const AXIS = 20;

/** A chart with counts or numbers at the left, and times or numbers below; its numbers are also there as a table. */
export function AxisChart(props: AxisChartProps): JSX.Element {
  const { label, height, top = 8, yTicks, format = compactNumber, formatCount = format } = props;
  const { kind, from, to, unit = 1 } = props.x;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [read, setRead] = useState<number | undefined>(undefined);
  const [asTable, setAsTable] = useState(false);
  const right = Math.max(LEFT, width - 4);
  const bottom = height - AXIS;
  const x = linear(from, to, from === to ? (LEFT + right) / 2 : LEFT, right);
  const y = linear(yTicks[0] ?? 0, yTicks.at(-1) ?? 1, bottom, top);
  const drawing = { x, y, left: LEFT, right, top, bottom };
  const most = Math.max(2, width / 90);
  const ticks =
    kind === "time"
      ? timeTicks(new Date(from), new Date(to), most, zone.value).map(({ at, beginsDay }) => ({
          place: x(at.getTime()),
          text: formatTime(at, beginsDay ? "dayOfYear" : "time"),
          beginsDay,
        }))
      : numberTicks(from / unit, to / unit, most).map((tick) => ({
          place: x(tick * unit),
          text: format(tick * unit),
          beginsDay: false,
        }));
  return (
    <figure class="chart" aria-label={label}>
      <div class="chart-head">
        <div class="chart-legend">{props.renderLegend(read)}</div>
        <button type="button" class="plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "as chart" : "as table"}
        </button>
      </div>
      {asTable ? <NumbersTable label={label} {...props.table()} /> : null}
      <div ref={box} class="chart-box" hidden={asTable}>
        <Plot
          label={`${label}, ${props.marks}`}
          width={width}
          height={height}
          edges={props.edges(drawing)}
          top={top}
          bottom={bottom}
          read={props.reading}
          onRead={setRead}
          onSelect={props.onSelect}
        >
          <g class="chart-axis">
            {yTicks.map((tick) => (
              <g key={tick}>
                <path d={`M${LEFT} ${y(tick)}H${width}`} />
                <text x={LEFT - 6} y={y(tick)} dy="0.350em" text-anchor="end">
                  {formatCount(tick)}
                </text>
              </g>
            ))}
          </g>
          {props.children({ ...drawing, read })}
          <TickLabels ticks={ticks} y={bottom} left={LEFT} right={width} />
        </Plot>
      </div>
    </figure>
  );
}

interface TickLabelsProps {
  readonly ticks: readonly { readonly place: number; readonly text: string; readonly beginsDay: boolean }[];
  /** The baseline, px from the top. */
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** px, in the font of `.chart-axis`. */
const HALF_CHARACTER = 3.3;

/** Times or numbers below; of those that do not fit beside each other, days and labels at their own places are kept. */
function TickLabels({ ticks, y, left, right }: TickLabelsProps): JSX.Element {
  const labels = ticks.map(({ place, text, beginsDay }) => {
    const half = text.length * HALF_CHARACTER;
    const inside = Math.max(left + half, Math.min(right - half, place));
    return { place: inside, text, beginsDay, rank: beginsDay ? 0 : inside === place ? 1 : 2 };
  });
  return (
    <g class="chart-axis">
      {ticks.map(({ place }) => (
        <path key={place} d={`M${place} ${y}v4`} />
      ))}
      {fittingLabels(labels).map(({ place, text, beginsDay }) => (
        <text key={place} class={beginsDay ? "chart-day" : undefined} x={place} y={y + 15} text-anchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

function NumbersTable({ label, columns, rows }: ChartTable & { label: string }): JSX.Element {
  return (
    // Its own scroll bar has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div class="chart-table" role="region" aria-label={label} tabIndex={0}>
      <SmallTable
        rows={rows}
        columns={columns.map((column, at) => [
          column,
          (row: ChartTable["rows"][number]) => {
            const cell = row[at];
            return typeof cell === "number" ? cell.toLocaleString() : cell;
          },
          at === 0 ? "" : "number",
        ])}
      />
    </div>
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `950`, `12K`, `1.2M` */
export function compactNumber(value: number): string {
  return Math.abs(value) < 10_000 ? value.toLocaleString("en", { maximumFractionDigits: 2 }) : compact.format(value);
}
