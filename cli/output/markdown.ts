import type { TextOutput } from "../stdout.ts";
import { cellText, columnsOf, rowObject } from "./cells.ts";
import type { Rows } from "./rows.ts";

/** A table as GitHub and others read it, under a header of the first batch's keys. */
export async function writeMarkdown(rows: Rows, output: TextOutput): Promise<void> {
  let columns: string[] | undefined;
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    if (columns === undefined) {
      columns = columnsOf(objects);
      await output.write(line(columns.map(escaped)) + line(columns.map(() => "---")));
    }
    const keys = columns;
    await output.write(objects.map((row) => line(keys.map((key) => escaped(cellText(row[key]))))).join(""));
  }
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A cell's text, so that nothing in it is taken for Markdown's own marks or HTML. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/\r\n|[\n\r\u2028\u2029]/g, "<br>")
    .replace(/\p{Cc}/gu, "\u{fffd}");
}
