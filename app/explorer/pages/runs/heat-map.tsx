import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { href } from "../address/address.ts";
import { StateMark, StateShape } from "../state/state-mark.tsx";
import { Name } from "../table/cells.tsx";
import { stateKeys, stateLabels } from "../state/states.ts";
import { formatTime } from "../time/format.ts";
import { type HeatCell, type HeatColumns, type HeatRow, isFlapping } from "./heat-map.ts";
import { counted } from "../value/text.ts";

const HOUR = 3_600_000;
/** Columns that a label covers. */
const LABEL = 3;

export interface HeatMapProps {
  readonly rows: readonly HeatRow[];
  readonly columns: HeatColumns;
}

/** The place of a cell: row and column. */
type Place = readonly [number, number];

/** Runs of nodes over time: each cell leads to a report. One tab stop among the cells; arrows go from cell to cell. */
export function HeatMap({ rows, columns }: HeatMapProps): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>([0, -1]);
  const [read, setRead] = useState<string | undefined>(undefined);
  const labelled = useMemo(() => labelledColumns(columns), [columns]);
  const stop = isFilled(rows, at) ? at : (firstPlace(rows) ?? at);
  // Where not all is seen, the newest runs are.
  useLayoutEffect(() => {
    const box = table.current?.parentElement;
    box?.scrollTo({ left: (box.querySelector<HTMLElement>(".heat-number")?.offsetLeft ?? 0) - box.clientWidth });
  }, [columns]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (!(event.target as HTMLElement).matches("[data-cell]")) return;
    const next = nextPlace(rows, stop, event.key);
    if (next === undefined) return;
    event.preventDefault();
    table.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus();
  };
  return (
    <div class="heat-map">
      <Legend rows={rows} />
      <p class="heat-reading muted" aria-hidden="true">
        {read ?? "Each cell is the worst state of the runs that ended in that time, and leads to the report"}
      </p>
      <div class="heat-scroll">
        {/* The arrows belong to the links inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above */}
        <table ref={table} onKeyDown={onKeyDown} onPointerLeave={() => setRead(undefined)}>
          <caption class="visually-hidden">Runs of nodes over time</caption>
          <thead>
            <tr>
              <th scope="col">Certname</th>
              {columns.begins.map((begin, index) => (
                <th key={begin.getTime()} scope="col" class={labelled.has(index) ? "heat-time heat-day" : "heat-time"}>
                  <span class={labelled.has(index) ? undefined : "visually-hidden"}>
                    {formatTime(begin, beginsDay(columns, index) || columns.width >= 3 * HOUR ? "dayOfYear" : "time")}
                  </span>
                </th>
              ))}
              <th scope="col" class="heat-number" title="Changes between failing and not">
                Flips
              </th>
              <th scope="col" class="heat-number">
                Failed
              </th>
              <th scope="col" class="heat-number">
                Runs
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.flatMap((row, rowAt) => [
              <GroupHead key={`before ${row.certname}`} rows={rows} at={rowAt} columns={columns.begins.length + 4} />,
              <tr key={row.certname}>
                <th scope="row">
                  <NodeLink certname={row.certname} />
                </th>
                {row.cells.map((cell, cellAt) => (
                  <td key={columns.begins[cellAt]?.getTime()} class={dayClass(columns, cellAt)}>
                    {cell === undefined ? null : (
                      <a
                        href={href("report", [cell.hash])}
                        class={`state-${cell.state}`}
                        data-cell={`${rowAt} ${cellAt}`}
                        tabIndex={rowAt === stop[0] && cellAt === stop[1] ? 0 : -1}
                        aria-label={cellText(cell, columns, cellAt)}
                        onPointerEnter={() => setRead(`${row.certname}: ${cellText(cell, columns, cellAt)}`)}
                        onFocus={() => {
                          setAt([rowAt, cellAt]);
                          setRead(`${row.certname}: ${cellText(cell, columns, cellAt)}`);
                        }}
                        onBlur={() => setRead(undefined)}
                      >
                        <StateShape state={cell.state} />
                      </a>
                    )}
                  </td>
                ))}
                <td class="heat-number">{row.changes.toLocaleString()}</td>
                <td class="heat-number">{row.failed.toLocaleString()}</td>
                <td class="heat-number">{row.runs.toLocaleString()}</td>
              </tr>,
            ])}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function NodeLink({ certname }: Pick<HeatRow, "certname">): JSX.Element {
  return (
    <a href={href("node", [certname, "reports"])}>
      <Name name={certname} />
    </a>
  );
}

/** Before the first row that flaps, and the first that does not. */
function GroupHead({
  rows,
  at,
  columns,
}: {
  readonly rows: readonly HeatRow[];
  readonly at: number;
  readonly columns: number;
}): JSX.Element | null {
  const [row, before] = [rows[at], rows[at - 1]];
  if (row === undefined || (before !== undefined && isFlapping(before) === isFlapping(row))) return null;
  return (
    <tr class="heat-group">
      <th scope="rowgroup" colSpan={columns}>
        <span>{isFlapping(row) ? "Flapping" : "Others"}</span>
      </th>
    </tr>
  );
}

function Legend({ rows }: Pick<HeatMapProps, "rows">): JSX.Element {
  const present = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.state ?? [])));
  return (
    <ul class="heat-legend" aria-label="States">
      {stateKeys
        .filter((state) => present.has(state))
        .map((state) => (
          <li key={state}>
            <StateMark state={state} />
          </li>
        ))}
    </ul>
  );
}

/** Whether a column is the first one of a day. */
function beginsDay({ begins }: HeatColumns, at: number): boolean {
  return at === 0 || formatTime(begins[at], "day") !== formatTime(begins[at - 1], "day");
}

function dayClass(columns: HeatColumns, at: number): string {
  return beginsDay(columns, at) ? "heat-day" : "";
}

/** The columns with a label: as many days as there is space for, then times between them. */
function labelledColumns(columns: HeatColumns): ReadonlySet<number> {
  const { begins, width } = columns;
  const places = begins.map((_, at) => at).filter((at) => at < begins.length - 1);
  // Of the first day there may be too little.
  const days = places.filter((at) => beginsDay(columns, at) && (at > 0 || !beginsDay(columns, 1)));
  const found: number[] = [];
  for (const at of [...days, ...(width < 3 * HOUR ? places : [])]) {
    if (found.every((one) => Math.abs(one - at) >= LABEL)) found.push(at);
  }
  return new Set(found);
}

/** "failed, 2 runs, 20 Nov 2026, 11:00 to 12:00" */
function cellText({ state, runs }: HeatCell, { begins, width }: HeatColumns, at: number): string {
  const begin = begins[at];
  const end = begin === undefined ? undefined : new Date(begin.getTime() + width);
  const count = counted(runs, "run");
  return `${stateLabels[state]}, ${count}, ${formatTime(begin)} to ${formatTime(end, width < 24 * HOUR ? "time" : "minute")}`;
}

function isFilled(rows: readonly HeatRow[], [row, column]: Place): boolean {
  return rows[row]?.cells[column] !== undefined;
}

/** The newest cell of the first row that has any. */
function firstPlace(rows: readonly HeatRow[]): Place | undefined {
  for (const [row, { cells }] of rows.entries()) {
    const column = cells.findLastIndex((cell) => cell !== undefined);
    if (column >= 0) return [row, column];
  }
  return undefined;
}

const steps: Readonly<Record<string, Place>> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};

/** The next cell with runs in the direction of a key. */
function nextPlace(rows: readonly HeatRow[], from: Place, key: string): Place | undefined {
  const [down, right] = steps[key] ?? [0, 0];
  if (down === 0 && right === 0) return undefined;
  let [row, column] = from;
  for (;;) {
    row += down;
    column += right;
    const cells = rows[row]?.cells;
    if (cells === undefined || column < 0 || column >= cells.length) return undefined;
    if (cells[column] !== undefined) return [row, column];
  }
}
