import type { ComponentChildren } from "preact";
import type { SortValue } from "./natural-order.ts";

/** A column of a table. */
export interface Column<Row> {
  /** Name in the address: a field, a fact. */
  readonly key: string;
  readonly title: string;
  /** For a tool tip, where the title does not say enough. */
  readonly meaning?: string;
  /** px; default 140. A longer title makes it wider. */
  readonly width?: number;
  /** Becomes wider for longer texts, up to this width. px */
  readonly fits?: number;
  /** Gets part of the remaining width. */
  readonly grows?: boolean;
  readonly align?: "end";
  /** The field that the rows are sorted by; without it the column cannot be sorted. */
  readonly sort?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What is sorted by in the browser; not needed where the server sorts. */
  readonly value?: (row: Row) => SortValue;
  /** The content as text, for a tool tip where the cell may be cut, and for {@link fits}. */
  readonly text?: (row: Row) => string | undefined;
  /** Always shown. */
  readonly fixed?: boolean;
}

/** Something that the menu of a column offers besides sorting, hiding and moving. */
export interface ColumnAction {
  readonly label: string;
  readonly run: () => void;
}

/** Rows that were selected, by key. */
export interface Selection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly change: (selected: ReadonlySet<string>) => void;
  readonly key: (row: Row) => string;
}
