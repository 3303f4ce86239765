import type { FileFormatKey, TextFormatKey } from "./format-names.ts";
import type { AboutPage } from "./html/page.ts";
import type { FileFormat, RowFormat, RowTexts } from "./row-texts.ts";

/** How rows are written, and what a page in HTML says about them. */
export interface TextOptions extends RowFormat {
  readonly page: AboutPage;
  /** The number of rows before limit and offset; default: the written ones. */
  readonly total?: (() => number | undefined) | undefined;
}

type WriteTexts = (rows: RowTexts, options: TextOptions) => Promise<AsyncIterable<string>>;

/** Writes a file into an empty folder, and returns its path. */
type WriteFile = (rows: RowTexts, folder: string, options?: FileFormat) => Promise<string>;

/** What writes each format that is a file. */
export const filesIn: Readonly<Record<FileFormatKey, WriteFile>> = {
  parquet: async (...answer) => (await import("../parquet/write.ts")).writeParquet(...answer),
  xlsx: async (...answer) => (await import("../xlsx/write.ts")).writeXlsx(...answer),
};

/** What writes each format that is a text; loaded when it is used, for the libraries of one are larger than all the rest of a query. */
export const textsIn: Readonly<Record<TextFormatKey, WriteTexts>> = {
  json: async (rows) => (await import("./json.ts")).jsonOf(rows),
  ndjson: async (rows) => (await import("./json.ts")).linesOf(rows),
  csv: async (rows, { columns }) => (await import("./csv.ts")).csvOf(rows, { columns }),
  "csv-safe": async (rows, { columns }) => (await import("./csv.ts")).csvOf(rows, { columns, isForSpreadsheets: true }),
  tsv: async (rows, { columns }) => (await import("./lines.ts")).tsvOf(rows, { columns }),
  names: async (rows) => (await import("./lines.ts")).namesOf(rows),
  markdown: async (rows, { columns }) => (await import("./markdown.ts")).markdownOf(rows, { columns }),
  html: async (rows, options) => (await import("./html/rows.ts")).htmlOf(rows, options),
};
