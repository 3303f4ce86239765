import type { TextOutput } from "../stdout.ts";

/** Rows of an answer: JSON texts, a batch at a time. */
export type Rows = AsyncIterable<readonly string[]>;

/** Writes all rows out in one layout, a batch at a time unless it says otherwise. */
export type RowWriter = (rows: Rows, output: TextOutput, options?: WriteOptions) => Promise<void>;

export interface WriteOptions {
  /** Columns that a line may take where that matters; default: those of the terminal, in a pipe any number. */
  readonly columns?: number;
}
