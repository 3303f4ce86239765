import type { DuckDBDataChunk, DuckDBValue } from "@duckdb/node-api";

/**
 * How a column's value is written in a row: a text as a JSON string, JSON unchanged, a whole number in digits. NULL is
 * `null`.
 */
export type ValueFormat = "text" | "json" | "number";

/**
 * How the columns of a statement become the texts of its rows. For few rows, such as groups, writing them here costs
 * less than planning the expressions that would do so in the engine.
 */
export interface RowLayout {
  /** One for each column, in the statement's order. */
  readonly columns: readonly {
    /** the text before the value */
    readonly before: string;
    readonly as: ValueFormat;
  }[];
  readonly after: string;
}

const writers: Readonly<Record<ValueFormat, (value: DuckDBValue) => string>> = {
  text: (value) => JSON.stringify(value),
  json: String,
  number: String,
};

/** The texts of a chunk's rows. */
export function rowTexts(chunk: DuckDBDataChunk, { columns, after }: RowLayout): string[] {
  const texts = Array.from({ length: chunk.rowCount }, () => "");
  for (const [index, { before, as }] of columns.entries()) {
    const write = writers[as];
    for (const [row, value] of chunk.getColumnValues(index).entries()) {
      texts[row] += before + (value === null ? "null" : write(value));
    }
  }
  return texts.map((text) => text + after);
}
