import { compareBytewise } from "#storage/bytewise.ts";
import type { StateKey } from "#storage/states/node-state.ts";
import type { Subject } from "./state.ts";

/** A column of a list. */
export interface ListColumn {
  readonly heading: string;
  /** Columns of the terminal; `share`: a part of what the others leave, in proportion to it. */
  readonly width: number | { readonly share: number };
  /** The least width of a terminal where it is shown; default: always. */
  readonly from?: number;
  readonly isNumber?: boolean;
  readonly isFaint?: boolean;
}

/** A row of a list. */
export interface ListRow {
  /** Identifies the row when the list is read again. */
  readonly key: string;
  /** Texts in which a filter searches. */
  readonly texts: readonly string[];
  /** One for each column. Called for rows that are shown. */
  readonly cells: () => readonly string[];
  /** The whole of what is cut off, for the lines below the list. */
  readonly more?: string;
  /** The colour of the cell in the first column. */
  readonly state?: StateKey | undefined;
  /** What each order of the list compares; none: the rows stay as they are. */
  readonly ranks?: readonly (string | number)[];
  /** What Enter opens. */
  readonly opens?: Subject;
}

/** An order of the rows of a list. */
export interface ListOrder {
  readonly name: string;
  readonly isDescending?: boolean;
}

/** A list that can be filtered, sorted and opened. */
export interface List {
  readonly columns: readonly ListColumn[];
  readonly rows: readonly ListRow[];
  readonly orders: readonly ListOrder[];
  /** What is shown where there are no rows. */
  readonly nothing: string;
}

/** Rows whose texts contain all words of a filter, sorted. */
export function arranged({ rows, orders }: List, filter: string, order: number): readonly ListRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found =
    words.length === 0
      ? rows
      : rows.filter(({ texts }) => {
          const text = texts.join("\n").toLowerCase();
          return words.every((word) => text.includes(word));
        });
  const { isDescending = false } = orders[order] ?? {};
  const direction = isDescending ? -1 : 1;
  return found.toSorted((a, b) => direction * compareRanks(a.ranks?.[order], b.ranks?.[order]));
}

function compareRanks(a: string | number = 0, b: string | number = 0): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareBytewise(String(a), String(b));
}
