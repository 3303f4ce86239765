/** Rows of an answer: JSON texts, a batch at a time. */
export type RowTexts = AsyncIterable<readonly string[]>;

/** How rows are written. */
export interface RowFormat {
  /** The keys of the rows, in their order, where they are known: then there is a header although there are no rows. */
  readonly columns?: readonly string[] | undefined;
}
