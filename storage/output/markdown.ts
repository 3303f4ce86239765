import { cellText, columnsOf, rowObject } from "./cells.ts";
import type { RowFormat, RowTexts } from "./row-texts.ts";

/** A table as GitHub and others read it, under a header of `columns` or else of the first batch's keys. */
export async function* markdownOf(rows: RowTexts, { columns }: RowFormat = {}): AsyncGenerator<string, void> {
  let keys = columns;
  if (keys !== undefined) yield header(keys);
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    if (keys === undefined) yield header((keys = columnsOf(objects)));
    const known = keys;
    yield objects.map((row) => line(known.map((key) => escaped(cellText(row[key]))))).join("");
  }
}

function header(columns: readonly string[]): string {
  return line(columns.map(escaped)) + line(columns.map(() => "---"));
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A cell's text, escaped so that it is not read as Markdown or HTML. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/\r\n|[\n\r\u2028\u2029]/g, "<br>")
    .replace(/\p{Cc}/gu, "\u{fffd}");
}
