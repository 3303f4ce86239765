import type { ComponentChildren, JSX, TargetedEvent } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { href } from "../address/address.ts";
import type { Sort } from "../address/codecs.ts";
import { useKeys } from "../frame/keys.ts";
import { Problem } from "../frame/panel.tsx";
import { isWhole } from "../list/growing.tsx";
import { zone } from "../time/format.ts";
import type { Column, ColumnAction, RowSource, Selection } from "./column.ts";
import { type Cell, moved, moveRow, rangeOf, toggled } from "./grid-keys.ts";
import { headEnd, hiddenOf, storedPlace, usePlaceKeeper, useVirtualRows } from "./use-virtual-rows.ts";
import { storedWidths, TableHead, textWidth, useFittedWidths } from "./table-head.tsx";
import { TableRow } from "./table-row.tsx";
import { isNothingStored } from "../data/about.ts";

/** The cell's padding. px */
const PADDING = 16;
/** The mark of the order beside the title. px */
const ORDER = 16;
/** On touch screens the menu of the column is always beside the title. px */
const MENU = 20;
/** Longer titles, such as paths of facts, are cut. px */
const WIDEST = 260;

const known = new Map<string, number>();

/** The width that the title of a column needs, px. The font is that of `.table-row-head`. */
function titleWidth(title: string, { isSorted }: { readonly isSorted: boolean }): number {
  let width = known.get(title);
  if (width === undefined) {
    width = textWidth(title, "600 13px");
    known.set(title, width);
  }
  const beside = (isSorted ? ORDER : 0) + (matchMedia("(hover: none)").matches ? MENU : 0);
  return Math.min(WIDEST, width + PADDING + beside);
}

export interface DataTableProps<Row> {
  /** What the rows are, for screen readers, and where widths are remembered: "Nodes". */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly source: RowSource<Row>;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Called with the columns that stay, in their order; without it columns can neither be hidden nor moved. */
  readonly onColumns?: (keys: readonly string[]) => void;
  /** What the menu of a column offers besides. */
  readonly columnActions?: (column: Column<Row>) => readonly ColumnAction[];
  readonly selection?: Selection<Row>;
  /** Enter, or a click beside links; without it Enter opens the link of the cell or the first one of the row. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** Whether the details of a row are shown beside the table. */
  readonly isOpen?: (row: Row) => boolean;
  /** Shown when there are no rows. */
  readonly empty?: ComponentChildren;
}

/** Height of a row and of the head, px; `--row` in the style sheet. */
const ROW = 28;
/** Browsers limit the height of elements. */
export const MOST_ROWS = 500_000;

/**
 * A table of any length, which scrolls with the page below its head: only the rows that are seen are rendered, and fetched. Arrow keys, `j` and `k` move, Enter opens, Space
 * selects (with Shift: up to here). Row -1 of the active cell is the head, where Enter opens the column's menu.
 */
export function DataTable<Row>(props: DataTableProps<Row>): JSX.Element {
  const { name, columns, source, selection, onOpen, isOpen } = props;
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const anchor = useRef(0);
  const [widths, setWidths] = useState(storedWidths(name).read);
  const count = Math.min(MOST_ROWS, source.count ?? 0);
  const { items, total } = useVirtualRows({ grid, count, height: ROW, isAll: isWhole.value });
  const fitted = useFittedWidths(
    columns,
    items.map(({ index }) => source.row(index)),
  );
  const widthOf = (column: Column<Row>): number =>
    widths[column.key] ??
    Math.max(
      column.width ?? 140,
      column.hasShape === true ? (fitted.get(column.key) ?? 0) : 0,
      titleWidth(column.title, { isSorted: column.sort !== undefined && column.sort === props.sort?.field }),
    );

  const placed = useRef<string | undefined>(undefined);
  const { remember, flush } = usePlaceKeeper(name, () =>
    placed.current !== source.key || grid.current === null
      ? undefined
      : { key: source.key, top: hiddenOf(grid.current), row: active.row },
  );
  useLayoutEffect(() => {
    if (source.count === undefined || placed.current === source.key || grid.current === null) return;
    placed.current = source.key;
    const place = storedPlace(name, source.key);
    const hidden = hiddenOf(grid.current);
    if (place !== undefined || hidden > 0) scrollBy(0, (place?.top ?? 0) - hidden);
    setActive({ row: place?.row ?? 0, column: 0 });
  }, [source.key, source.count === undefined]);
  useLayoutEffect(() => {
    source.show(items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  });
  useKeys({ j: () => moveRow("ArrowDown"), k: () => moveRow("ArrowUp") });

  const goTo = (cell: Cell): void => {
    setActive(cell);
    if (grid.current !== null) reveal(grid.current, cell);
    remember();
  };
  const select = (index: number, isRange: boolean): void => {
    const row = source.row(index);
    if (selection === undefined || row === undefined) return;
    const keys = (isRange ? rangeOf(anchor.current, index) : [index]).flatMap((at) => {
      const one = source.row(at);
      return one === undefined ? [] : [selection.key(one)];
    });
    selection.change(isRange ? new Set([...selection.selected, ...keys]) : toggled(selection.selected, keys));
    if (!isRange) anchor.current = index;
  };
  const open = (cell: Cell): void => {
    flush();
    const element = document.getElementById(cellId(id, cell));
    if (cell.row < 0) {
      element?.querySelector<HTMLElement>("[data-column-menu]")?.click();
      return;
    }
    const row = source.row(cell.row);
    const inCell = element?.querySelector<HTMLElement>("a, button");
    if (inCell) inCell.click();
    else if (onOpen !== undefined && row !== undefined) onOpen(row, cell.row);
    else element?.parentElement?.querySelector<HTMLElement>("a")?.click();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== grid.current || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((innerHeight - headEnd(event.currentTarget as HTMLElement)) / ROW) - 1);
    const next = moved(active, event, { rows: count, columns: columns.length, page });
    if (next !== undefined) goTo(next);
    else if (event.key === "Enter") open(active);
    else if (event.key === " " && selection !== undefined) select(active.row, event.shiftKey);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    const at = Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1);
    if (at < 0) return;
    const column = Number(target.closest<HTMLElement>("[data-column]")?.dataset["column"] ?? active.column);
    goTo({ row: at, column });
    flush();
    if (target.closest(".table-select") !== null) {
      select(at, event.shiftKey);
      grid.current?.focus({ preventScroll: true });
      return;
    }
    const row = source.row(at);
    if (target.closest("a, button") === null && row !== undefined && String(getSelection()) === "") onOpen?.(row, at);
  };

  const template = columns.map((column) => {
    const width = widthOf(column);
    if (widths[column.key] !== undefined) return `${width}px`;
    const most = column.grows === true ? "1fr" : `${Math.max(width, fitted.get(column.key) ?? 0)}px`;
    return `minmax(${width}px, ${most})`;
  });
  const content = {
    "--columns": `${selection === undefined ? "" : "32px "}${template.join(" ")}`,
    minWidth: `${columns.reduce((sum, column) => sum + widthOf(column), selection === undefined ? 0 : 32)}px`,
  };
  const failed = source.error !== undefined && source.count === undefined;
  return (
    <div class="table">
      {source.error === undefined ? null : <Problem loaded={source} />}
      {(source.count ?? 0) <= MOST_ROWS ? null : (
        <p class="table-note">
          The table shows the first {MOST_ROWS.toLocaleString()} of {source.count?.toLocaleString()} rows. Narrow them,
          or export all.
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled here too */}
      <div
        ref={grid}
        class="table-grid"
        role="grid"
        tabIndex={0}
        aria-label={name}
        aria-rowcount={source.count === undefined ? -1 : source.count + 1}
        aria-colcount={columns.length + (selection === undefined ? 0 : 1)}
        aria-multiselectable={selection === undefined ? undefined : true}
        aria-busy={source.isLoading}
        aria-activedescendant={isRendered(active, items) ? cellId(id, active) : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        // What scrolls sideways is reached by Tab only on the way to the table.
        onFocus={({ currentTarget }) => (sideways(currentTarget).tabIndex = -1)}
        onBlur={({ currentTarget }) => (sideways(currentTarget).tabIndex = 0)}
      >
        <TableHead
          columns={columns}
          style={content}
          sort={props.sort}
          onSort={props.onSort}
          onColumns={props.onColumns}
          actions={props.columnActions}
          widthOf={widthOf}
          onWidth={(column, width) => {
            const changed = { ...widths, [column.key]: width };
            setWidths(changed);
            storedWidths(name).write(changed);
          }}
          id={id}
          activeColumn={active.row < 0 ? active.column : undefined}
          canSelect={selection !== undefined}
        />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus goes to the table */}
        <div
          class="table-scroll"
          role="rowgroup"
          tabIndex={0}
          onFocus={() => grid.current?.focus({ preventScroll: true })}
          onScroll={scrollTogether}
        >
          <div
            class={`table-body${source.isLoading && source.count !== undefined ? " dimmed" : ""}`}
            style={{ ...content, height: `${total}px` }}
          >
            {items.map(({ index, start }) => {
              const row = source.row(index);
              const key = row === undefined ? undefined : selection?.key(row);
              return (
                <TableRow
                  key={index}
                  index={index}
                  row={row}
                  columns={columns}
                  top={start}
                  id={id}
                  activeColumn={active.row === index ? active.column : undefined}
                  isSelected={selection === undefined ? undefined : key !== undefined && selection.selected.has(key)}
                  selectLabel={`Select ${key ?? ""}`}
                  isOpen={row !== undefined && isOpen?.(row) === true}
                  zone={zone.value}
                />
              );
            })}
          </div>
        </div>
        {/* The bar of the rows, always within the window. */}
        <div class="table-bar" aria-hidden="true" tabIndex={-1} onScroll={scrollTogether}>
          <div style={{ minWidth: content.minWidth }} />
        </div>
      </div>
      {source.count === undefined && !failed ? <div class="skeleton" aria-hidden="true" /> : null}
      {source.count === 0 ? (
        <div class="table-empty">
          {isNothingStored() ? <NothingStored /> : (props.empty ?? <p>Nothing matches.</p>)}
        </div>
      ) : null}
    </div>
  );
}

/** In place of what a filter is said to leave: there is nothing to be filtered. */
function NothingStored(): JSX.Element {
  return (
    <p>
      Nothing is stored yet. <a href={href("overview")}>How data get here</a>
    </p>
  );
}

function cellId(id: string, { row, column }: Cell): string {
  return row < 0 ? `${id}-head-${column}` : `${id}-${row}-${column}`;
}

function isRendered({ row }: Cell, items: readonly { readonly index: number }[]): boolean {
  return row < 0 || items.some(({ index }) => index === row);
}

/** The part of a table that holds the rows. */
function sideways(grid: HTMLElement): HTMLElement {
  return grid.querySelector<HTMLElement>(".table-scroll") ?? grid;
}

/** The head, the rows and the bar move sideways together. */
function scrollTogether({ currentTarget: { scrollLeft, parentElement: grid } }: TargetedEvent<HTMLElement>): void {
  for (const part of grid?.querySelectorAll(".table-scroll, .table-bar") ?? []) {
    if (part.scrollLeft !== scrollLeft) part.scrollLeft = scrollLeft;
  }
  const head = grid?.querySelector<HTMLElement>(".table-row-head");
  if (head) head.style.translate = `${-scrollLeft}px`;
}

/** Scrolls as little as is needed to see a cell. */
function reveal(grid: HTMLElement, { row, column }: Cell): void {
  const rows = sideways(grid);
  const end = headEnd(grid);
  const top = rows.getBoundingClientRect().top + row * ROW;
  const begin = row < 0 ? end - ROW : end;
  if (top < begin) scrollBy(0, top - begin);
  else if (top + ROW > innerHeight) scrollBy(0, top + ROW - innerHeight);
  const head = grid.querySelectorAll<HTMLElement>("[role=columnheader]:not(.table-select)")[column];
  if (head === undefined) return;
  const right = head.offsetLeft + head.offsetWidth;
  if (head.offsetLeft < rows.scrollLeft) rows.scrollLeft = head.offsetLeft;
  else if (right > rows.scrollLeft + rows.clientWidth) rows.scrollLeft = right - rows.clientWidth;
}
