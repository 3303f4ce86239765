import { stringify } from "csv-stringify/sync";
import type { Json } from "../json.ts";
import { cellText, columnsOf, rowObject } from "./cells.ts";
import type { RowFormat, RowTexts } from "./row-texts.ts";

/** Options of CSV. */
export interface CsvFormat extends RowFormat {
  /** Whether the file is for a spreadsheet, where no cell may be read as a formula. Default: cells are exact. */
  readonly isForSpreadsheets?: boolean;
}

/**
 * CSV (RFC 4180 quoting, `\n`), a piece for each batch, under a header of `columns` or else of the first batch's keys.
 */
export async function* csvOf(rows: RowTexts, format: CsvFormat = {}): AsyncGenerator<string, void> {
  const shown = format.isForSpreadsheets === true ? harmless : exact;
  const header = (keys: readonly string[]): string => stringify([keys.map(shown)]);
  let { columns } = format;
  if (columns !== undefined) yield header(columns);
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    if (columns === undefined) yield header((columns = columnsOf(objects)));
    const keys = columns;
    yield stringify(objects.map((row) => keys.map((key) => shown(row[key]))));
  }
}

function exact(value: Json | undefined): string {
  return cellText(value);
}

/** Spreadsheets read such texts as formulas; an apostrophe prevents that. Numbers do not change. */
function harmless(value: Json | undefined): string {
  const text = cellText(value);
  return typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
