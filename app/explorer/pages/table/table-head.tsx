import type { JSX } from "preact";
import type { Sort } from "../address/codecs.ts";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";
import type { Column, ColumnAction } from "./column.ts";
import { stored, type Stored } from "../data/stored.ts";
import { useRef } from "preact/hooks";

/** Widths of columns that were changed in this browser, px by column. */
type Widths = Readonly<Record<string, number>>;

const NARROWEST = 48;
const WIDEST = 1200;

/** The widths that were chosen for a table. */
export function storedWidths(table: string): Stored<Widths> {
  return stored<Widths>(`widths.${table}`, {
    read: (value) =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value).flatMap(([key, width]) => (typeof width === "number" ? [[key, limited(width)]] : [])),
          )
        : undefined,
    fallback: {},
  });
}

/** A width that can be shown. */
function limited(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

let context: CanvasRenderingContext2D | null | undefined;

/**
 * The width of a text in the font of the page, px.
 * @param style weight and size of the font, as in CSS: "600 13px"
 */
export function textWidth(text: string, style: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) return 0;
  context.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(context.measureText(text).width);
}

/** The cell's padding, and what rounding may cut. px */
const PADDING = 18;
/** A shape before the text, and the frames of what is after a comma. px */
const SHAPE = 20;
const FRAME = 14;

/**
 * The widths that columns need for the texts that were seen, px by key. They never shrink while the table is there, so that
 * columns do not jump while one scrolls.
 */
export function useFittedWidths<Row>(
  columns: readonly Column<Row>[],
  seen: readonly (Row | undefined)[],
): ReadonlyMap<string, number> {
  const widths = useRef(new Map<string, number>()).current;
  for (const { key, text, fits, hasShape = false } of columns) {
    if (fits === undefined || text === undefined) continue;
    for (const row of seen) {
      const shown = row === undefined ? undefined : text(row);
      if (shown === undefined) continue;
      const beside = hasShape ? SHAPE + FRAME * (shown.split(",").length - 1) : 0;
      const needed = Math.min(fits, textWidth(shown, "13px") + PADDING + beside);
      if (needed > (widths.get(key) ?? 0)) widths.set(key, needed);
    }
  }
  return widths;
}

export interface TableHeadProps<Row> {
  /** The widths of the columns. */
  readonly style: Readonly<Record<string, string>>;
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly onColumns: ((keys: readonly string[]) => void) | undefined;
  readonly actions: ((column: Column<Row>) => readonly ColumnAction[]) | undefined;
  readonly widthOf: (column: Column<Row>) => number;
  readonly onWidth: (column: Column<Row>, width: number) => void;
  readonly id: string;
  readonly activeColumn: number | undefined;
  readonly canSelect: boolean;
}

/** How much a column grows or shrinks at once by its menu, px. */
const STEP = 40;

/** The titles of a table's columns. A click sorts; the menu sorts, moves, hides, and changes the width. */
export function TableHead<Row>(props: TableHeadProps<Row>): JSX.Element {
  const { columns, sort, id, activeColumn, canSelect } = props;
  return (
    <div class="table-head" role="rowgroup">
      <div role="row" class="table-row-head" aria-rowindex={1} style={props.style}>
        {canSelect ? (
          <div role="columnheader" class="table-cell table-select" aria-colindex={1}>
            <span class="visually-hidden">Selected</span>
          </div>
        ) : null}
        {columns.map((column, at) => {
          const sorted = column.sort !== undefined && sort?.field === column.sort ? sort : undefined;
          return (
            <div
              key={column.key}
              id={`${id}-head-${at}`}
              role="columnheader"
              class={`table-cell${column.align === "end" ? " number" : ""}${activeColumn === at ? " active-cell" : ""}`}
              aria-colindex={at + (canSelect ? 2 : 1)}
              aria-sort={sorted === undefined ? undefined : sorted.descending ? "descending" : "ascending"}
              title={column.meaning ?? column.title}
            >
              <Title column={column} sorted={sorted} {...props} />
              <ColumnMenu column={column} at={at} {...props} />
              <ResizeHandle column={column} {...props} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Title<Row>({
  column,
  sorted,
  onSort,
}: TableHeadProps<Row> & { column: Column<Row>; sorted: Sort | undefined }): JSX.Element {
  const { title, sort } = column;
  const isNumber = column.align === "end";
  if (sort === undefined || onSort === undefined) return <span class="table-title">{title}</span>;
  return (
    <button
      type="button"
      class="table-title"
      tabIndex={-1}
      // Of numbers, the largest are looked for.
      onClick={() => onSort({ field: sort, descending: sorted === undefined ? isNumber : !sorted.descending })}
    >
      {title}
      {sorted === undefined ? null : <Icon name={sorted.descending ? "down" : "up"} />}
    </button>
  );
}

function ColumnMenu<Row>(props: TableHeadProps<Row> & { column: Column<Row>; at: number }): JSX.Element {
  const { column, at, columns, onSort, onColumns, actions, widthOf, onWidth } = props;
  const keys = columns.map(({ key }) => key);
  const moved = (by: number): readonly string[] => {
    const order = keys.filter((key) => key !== column.key);
    order.splice(at + by, 0, column.key);
    return order;
  };
  const { sort } = column;
  return (
    <PopupMenu
      label={`Column ${column.title}`}
      buttonClass="table-menu"
      buttonProps={{ tabIndex: -1, "data-column-menu": true }}
      button={<Icon name="down" />}
    >
      {(close) => {
        const item = (label: string, run: () => void): JSX.Element => (
          <button
            type="button"
            role="menuitem"
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
          </button>
        );
        return (
          <>
            {sort === undefined || onSort === undefined ? null : (
              <>
                {item("Sort ascending", () => onSort({ field: sort, descending: false }))}
                {item("Sort descending", () => onSort({ field: sort, descending: true }))}
              </>
            )}
            {actions?.(column).map(({ label, run }) => item(label, run))}
            {onColumns === undefined || at === 0 ? null : item("Move to the left", () => onColumns(moved(-1)))}
            {onColumns === undefined || at === columns.length - 1
              ? null
              : item("Move to the right", () => onColumns(moved(1)))}
            {onColumns === undefined || column.fixed === true
              ? null
              : item("Hide", () => onColumns(keys.filter((key) => key !== column.key)))}
            {item("Wider", () => onWidth(column, limited(widthOf(column) + STEP)))}
            {item("Narrower", () => onWidth(column, limited(widthOf(column) - STEP)))}
          </>
        );
      }}
    </PopupMenu>
  );
}

/** Dragging changes the width. Keys have the column's menu instead. */
function ResizeHandle<Row>({
  column,
  onWidth,
}: Pick<TableHeadProps<Row>, "onWidth"> & { column: Column<Row> }): JSX.Element {
  return (
    <span
      class="table-resize"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        const handle = event.currentTarget;
        const start = event.clientX;
        const width = handle.parentElement?.getBoundingClientRect().width ?? 0;
        handle.setPointerCapture(event.pointerId);
        const onMove = (move: PointerEvent): void => onWidth(column, limited(width + move.clientX - start));
        handle.addEventListener("pointermove", onMove);
        handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", onMove), {
          once: true,
        });
      }}
    />
  );
}
