import type { Rows } from "../output/rows.ts";

/** Rows of which the first have arrived. */
export interface StartedRows {
  /** To be read once; leaving the iteration cancels the query. */
  readonly rows: Rows;
  readonly isEmpty: boolean;
}

/** Waits for the first rows, to decide by them whether there are any. */
export async function startedRows(rows: Rows): Promise<StartedRows> {
  const iterator = rows[Symbol.asyncIterator]();
  let first = await iterator.next();
  while (first.done !== true && first.value.length === 0) first = await iterator.next();
  return { rows: from(first, iterator), isEmpty: first.done === true };
}

type Batch = readonly string[];

async function* from(first: IteratorResult<Batch>, iterator: AsyncIterator<Batch>): Rows {
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
