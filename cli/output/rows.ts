import type { RowTexts as Rows } from "#storage/output/row-texts.ts";
import type { TextOutput } from "../stdout.ts";

export type { RowTexts as Rows } from "#storage/output/row-texts.ts";

/** Writes all rows out in one layout, a batch at a time unless it says otherwise. */
export type RowWriter = (rows: Rows, output: TextOutput, options?: WriteOptions) => Promise<void>;

export interface WriteOptions {
  /** Columns that a line may take where that matters; default: those of the terminal, in a pipe any number. */
  readonly columns?: number;
}
