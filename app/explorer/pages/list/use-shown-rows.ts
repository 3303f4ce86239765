import { useState } from "preact/hooks";
import type { RowSource } from "../table/row-source.ts";

/** Rows that are looked at together. */
const CHUNK = 100;

/** A source that says which of its rows are seen, so that more can be fetched about them. */
export interface ShownRows<Row> {
  /** To be given to the table instead of the original. */
  readonly source: RowSource<Row>;
  /** The rows that are seen, and some around them. */
  readonly shown: readonly Row[];
}

/** Follows which rows of a source are seen, in steps of 100 rows. */
export function useShownRows<Row>(source: RowSource<Row>): ShownRows<Row> {
  const [seen, setSeen] = useState({ first: 0, end: CHUNK });
  const shown: Row[] = [];
  for (let index = seen.first; index < Math.min(seen.end, source.count ?? 0); index += 1) {
    const row = source.row(index);
    if (row !== undefined) shown.push(row);
  }
  const show = (first: number, last: number): void => {
    source.show(first, last);
    const from = Math.floor(first / CHUNK) * CHUNK;
    const end = (Math.floor(last / CHUNK) + 1) * CHUNK;
    if (from !== seen.first || end !== seen.end) setSeen({ first: from, end });
  };
  return { source: { ...source, show }, shown };
}
