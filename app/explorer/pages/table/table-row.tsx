import { Component, type JSX } from "preact";
import type { Column } from "./column.ts";

export interface TableRowProps<Row> {
  readonly index: number;
  readonly row: Row | undefined;
  readonly columns: readonly Column<Row>[];
  /** px from the top of all rows. */
  readonly top: number;
  /** Prefix of the ids of cells. */
  readonly id: string;
  /** The active column when this is the active row. */
  readonly activeColumn: number | undefined;
  /** Undefined: rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly selectLabel: string;
  readonly isOpen: boolean;
  /** Cells show times in it. */
  readonly zone: string;
}

/** One row of a table. It is rendered again only when something of it changed. */
export class TableRow<Row> extends Component<TableRowProps<Row>> {
  override shouldComponentUpdate(next: TableRowProps<Row>): boolean {
    const present = this.props;
    return (Object.keys(next) as (keyof TableRowProps<Row>)[]).some((key) => next[key] !== present[key]);
  }

  override render({
    index,
    row,
    columns,
    top,
    id,
    activeColumn,
    isSelected,
    ...props
  }: TableRowProps<Row>): JSX.Element {
    const isActive = activeColumn !== undefined;
    const offset = isSelected === undefined ? 1 : 2;
    return (
      <div
        role="row"
        class={`table-row${isActive ? " active" : ""}${isSelected === true ? " selected" : ""}${props.isOpen ? " open" : ""}`}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        aria-current={props.isOpen ? true : undefined}
        data-index={index}
        style={{ transform: `translateY(${top}px)` }}
      >
        {isSelected === undefined ? null : (
          <div role="gridcell" class="table-cell table-select" aria-colindex={1}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={props.selectLabel}
              data-select
              checked={isSelected}
              disabled={row === undefined}
            />
          </div>
        )}
        {columns.map((column, at) => (
          <div
            key={column.key}
            id={`${id}-${index}-${at}`}
            role="gridcell"
            class={`table-cell${column.align === "end" ? " number" : ""}${activeColumn === at ? " active-cell" : ""}`}
            aria-colindex={at + offset}
            data-column={at}
            title={row === undefined ? undefined : column.text?.(row)}
          >
            {row === undefined ? <span class="table-waiting" aria-label="loading" /> : column.cell(row)}
          </div>
        ))}
      </div>
    );
  }
}
