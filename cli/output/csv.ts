import { stringify } from "csv-stringify/sync";
import type { TextOutput } from "../stdout.ts";
import { cellText, columnsOf, rowObject } from "./cells.ts";
import type { Rows } from "./rows.ts";

/** CSV (RFC 4180 quoting, `\n`) under a header of the first batch's keys; a query's rows all have the same ones. */
export async function writeCsv(rows: Rows, output: TextOutput): Promise<void> {
  let columns: string[] | undefined;
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    const header = columns === undefined;
    columns ??= columnsOf(objects);
    const keys = columns;
    const records = objects.map((row) => keys.map((key) => cellText(row[key])));
    await output.write(stringify(header ? [keys, ...records] : records));
  }
}
