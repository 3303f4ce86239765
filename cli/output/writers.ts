import type { TextOutput } from "../stdout.ts";
import type { TextFormat } from "./formats.ts";

/** Rows of an answer: JSON texts, a batch at a time. */
export type Rows = AsyncIterable<readonly string[]>;

/** Writes all rows out in one layout, a batch at a time unless it says otherwise. */
export type RowWriter = (rows: Rows, output: TextOutput, options?: WriteOptions) => Promise<void>;

export interface WriteOptions {
  /** Columns that a line may take where that matters; default: those of the terminal, in a pipe any number. */
  readonly columns?: number;
}

/** What writes each layout; loaded when it is used, for the libraries of one are larger than all the rest of a query. */
export const writers: Readonly<Record<TextFormat, RowWriter>> = {
  table: async (...answer) => (await import("./table.ts")).writeTable(...answer),
  json: async (rows, output) => (await import("./json.ts")).writeJson(rows, output),
  ndjson: async (rows, output) => (await import("./json.ts")).writeLines(rows, output),
  csv: async (rows, output) => (await import("./csv.ts")).writeCsv(rows, output),
  markdown: async (rows, output) => (await import("./markdown.ts")).writeMarkdown(rows, output),
};
