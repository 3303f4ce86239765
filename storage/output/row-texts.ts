/** Rows of a response: JSON texts, a batch at a time. */
export type RowTexts = AsyncIterable<readonly string[]>;

/** How rows are written. */
export interface RowFormat {
  /** The keys of the rows, in their order, if they are known: then there is a header even without rows. */
  readonly columns?: readonly string[] | undefined;
}

/** How rows are written to a file. */
export interface FileFormat extends RowFormat {
  /** Ends it. */
  readonly signal?: AbortSignal;
}
