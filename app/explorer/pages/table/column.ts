import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/use-data.ts";

/** What a cell is sorted by. */
export type SortValue = string | number | boolean | null | undefined;

const collator = new Intl.Collator("en", { numeric: true });

/** Numbers by size, texts with the numbers in them by size; nothing at the end, in descending order too. */
export function compareNaturally(one: SortValue, other: SortValue, descending = false): number {
  const oneIsNone = one === null || one === undefined;
  const otherIsNone = other === null || other === undefined;
  if (oneIsNone || otherIsNone) return Number(oneIsNone) - Number(otherIsNone);
  const isText = typeof one === "string" || typeof other === "string";
  const order = isText ? collator.compare(String(one), String(other)) : Number(one) - Number(other);
  return descending ? -order : order;
}

/** A column of a table. */
export interface Column<Row> {
  /** Name in the address: a field, a fact. */
  readonly key: string;
  readonly title: string;
  /** For a tool tip, where the title does not say enough. */
  readonly meaning?: string;
  /** The least, px; default 140. A longer title makes it wider. */
  readonly width?: number;
  /** Becomes wider for longer texts, up to this width, where there is room. px */
  readonly fits?: number;
  /** Its texts have a shape before them, and are in frames after a comma, which {@link fits} adds. They are never cut. */
  readonly hasShape?: boolean;
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

/** Rows of a table, of which only some are there. `value` is the first of them, `total` the number of all. */
export interface RowSource<Row> extends Loaded<readonly Row[]> {
  /** Changes when other rows are shown than before: the table then begins at the top. */
  readonly key: string;
  /** Number of rows; undefined until it is known. */
  readonly count: number | undefined;
  /** A row; undefined while it is on its way. */
  readonly row: (index: number) => Row | undefined;
  /** Says which rows are seen, so that they are fetched. */
  readonly show: (first: number, last: number) => void;
}
