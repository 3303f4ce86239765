import { cellText, columnsOf, rowObject } from "./cells.ts";
import type { RowFormat, RowTexts } from "./row-texts.ts";

/**
 * Values between tabs, under a header of `columns` or else of the first batch's keys. A tab, a line break or a backslash in a value
 * is written as `\t`, `\n`, `\r` or `\\`, so that `cut` and `awk` find each value.
 */
export async function* tsvOf(rows: RowTexts, { columns }: RowFormat = {}): AsyncGenerator<string, void> {
  let keys = columns;
  if (keys !== undefined) yield line(keys);
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    if (keys === undefined) yield line((keys = columnsOf(objects)));
    const known = keys;
    yield objects.map((row) => line(known.map((key) => cellText(row[key])))).join("");
  }
}

/** The first value of each row on a line of its own, without a header: a list for another program. */
export async function* namesOf(rows: RowTexts): AsyncGenerator<string, void> {
  for await (const batch of rows)
    yield batch.map((text) => line([cellText(Object.values(rowObject(text))[0])])).join("");
}

const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replace(/[\t\n\r\\]/g, (one) => escapes[one] ?? one)).join("\t")}\n`;
}
