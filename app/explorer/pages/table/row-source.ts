import type { Loaded } from "../data/use-data.ts";

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
