import { stateOfWord, stateSigns } from "../../states/words.ts";
import { isNumber, type Json, type JsonObject } from "../../json.ts";
import { cellText, columnsOf, rowObject } from "../cells.ts";
import type { RowFormat, RowTexts } from "../row-texts.ts";
import { type AboutPage, escaped, pageEnd, pageStart, shortTime } from "./page.ts";

/** Rows as a page. */
export interface HtmlFormat extends RowFormat {
  readonly page: AboutPage;
  /** Rows before limit and offset, known after the last row. */
  readonly total?: (() => number | undefined) | undefined;
}

/** Hashes and UUIDs: their end is not shown, but is copied with them. */
const DIGEST = /^[0-9a-f]{32,}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Columns whose values are names of states. */
const states: ReadonlySet<string> = new Set(["status", "latest_report_status", "cached_catalog_status"]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** One HTML file without scripts: what the page is about, and a table. */
export async function* htmlOf(rows: RowTexts, { columns, page, total }: HtmlFormat): AsyncGenerator<string, void> {
  yield pageStart(page);
  let keys = columns;
  let count = 0;
  if (keys !== undefined) yield header(keys);
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    count += objects.length;
    if (keys === undefined) yield header((keys = columnsOf(objects)));
    const known = keys;
    yield objects.map((row) => line(row, known)).join("");
  }
  if (keys !== undefined) yield "</tbody></table></div>\n";
  yield pageEnd(note(count, total?.()));
}

function header(columns: readonly string[]): string {
  const cells = columns.map((name) => `<th scope="col">${escaped(name)}</th>`);
  return `<div class="rows"><table><thead><tr>${cells.join("")}</tr></thead><tbody>\n`;
}

function line(row: JsonObject, columns: readonly string[]): string {
  return `<tr>${columns.map((column) => cell(column, row[column])).join("")}</tr>\n`;
}

function cell(column: string, value: Json | undefined): string {
  if (value === undefined || value === null) return "<td></td>";
  const text = cellText(value);
  if (isNumber(value)) return `<td class="n">${escaped(text)}</td>`;
  const kind = ` class="${widthOf(text)}"`;
  if (typeof value !== "string") return `<td${kind}><code>${escaped(text)}</code></td>`;
  const state = states.has(column) ? stateOfWord(text) : undefined;
  if (state !== undefined) return `<td${kind}><span class="${state}">${stateSigns[state]} ${escaped(text)}</span></td>`;
  if (TIME.test(text)) return `<td${kind}><time datetime="${text}">${shortTime(text)}</time></td>`;
  return `<td${kind}>${escaped(text)}</td>`;
}

/** The class of a cell by the width that its text needs. */
function widthOf(text: string): string {
  if (DIGEST.test(text)) return "d";
  // Longer cells break anywhere; certnames and titles of most resources do not.
  if (text.length <= 48) return "s";
  // Longer cells get more of the width.
  return text.length <= 120 ? "m" : "l";
}

function note(count: number, total = count): string {
  if (count === 0) return "No rows";
  return `${count === total ? "" : `${count} of `}${total} ${total === 1 ? "row" : "rows"}`;
}
