import { CensusError } from "../errors.ts";
import { isNumber, type Json, type JsonObject } from "../json.ts";
import { cellText, columnsOf, rowObject } from "../output/cells.ts";
import type { RowTexts } from "../output/row-texts.ts";
import { isTime } from "../parquet/column-kinds.ts";

/** What Excel reads, with the header. */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const MOST_CHARACTERS = 32_767;

/** More significant digits are not kept in a number. */
const MOST_DIGITS = 15;

/** The places of styles in the workbook. */
const styles = { header: 1, time: 2 } as const;

/**
 * A sheet in pieces of XML, under a header of `columns` or else of the first batch's keys.
 * @param head its beginning, with the tag `worksheet`
 */
export async function* sheetOf(
  rows: RowTexts,
  known: readonly string[] | undefined,
  head: string,
): AsyncGenerator<string, void> {
  // The header stays where it is; columns are as wide as a time.
  yield `${head}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  yield '<sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/><sheetData>';
  let columns = known?.map(columnAt);
  if (columns !== undefined) yield headerOf(columns);
  let number = 1;
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    const objects = batch.map(rowObject);
    if (columns === undefined) yield headerOf((columns = columnsOf(objects).map(columnAt)));
    const shown = columns;
    if (number + objects.length > MOST_ROWS) {
      const most = (MOST_ROWS - 1).toLocaleString("en");
      throw tooMuch(`the result has more than ${most} rows, which is all that a sheet has below its header; limit it`);
    }
    yield objects.map((row) => rowOf(shown, row, ++number)).join("");
  }
  yield "</sheetData></worksheet>";
}

interface Column {
  readonly name: string;
  /** `A` to `XFD`. */
  readonly letters: string;
}

function columnAt(name: string, index: number): Column {
  if (index < MOST_COLUMNS) return { name, letters: lettersOf(index) };
  throw tooMuch(`the result has more than ${MOST_COLUMNS.toLocaleString("en")} columns; select some`);
}

function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

function headerOf(columns: readonly Column[]): string {
  const cells = columns.map(({ name, letters }) => textCell(name, `r="${letters}1" s="${styles.header}"`));
  return `<row r="1">${cells.join("")}</row>`;
}

function rowOf(columns: readonly Column[], row: JsonObject, number: number): string {
  const cells = columns.map(({ name, letters }) => {
    const value = row[name] ?? null;
    const text = cellText(value);
    if (text.length <= MOST_CHARACTERS) return cellOf(value, text, `r="${letters}${number}"`);
    throw tooMuch(
      `a text of column ${JSON.stringify(name)} has more than ${MOST_CHARACTERS.toLocaleString("en")} characters, which is all that a cell has`,
    );
  });
  return `<row r="${number}">${cells.join("")}</row>`;
}

/** Numbers and times that Excel would change are texts. */
function cellOf(value: Json, text: string, place: string): string {
  if (value === null) return "";
  if (typeof value === "boolean") return `<c ${place} t="b"><v>${value ? 1 : 0}</v></c>`;
  if (isNumber(value) && isExact(text)) return `<c ${place}><v>${text}</v></c>`;
  const days = typeof value === "string" && isTime(value) ? Date.parse(value) / 86_400_000 + EPOCH : 0;
  if (days >= FIRST_DAY) return `<c ${place} s="${styles.time}"><v>${days}</v></c>`;
  return textCell(text, place);
}

/** 1970-01-01 in days of Excel; the first of them that is right, 1900-03-01. */
const EPOCH = 25_569;
const FIRST_DAY = 61;

function isExact(text: string): boolean {
  const digits = text.replace(/e.*$/i, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= MOST_DIGITS && Math.abs(Number(text)) < 1e300;
}

function textCell(text: string, place: string): string {
  return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** What XML cannot contain is written as Excel writes it, and a text that looks like that as well. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[\0-\x08\v\f\r\x0E-\x1F\uFFFE\uFFFF]/g, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    })
    .replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function tooMuch(what: string): CensusError {
  return new CensusError("bad-input", `Excel cannot show this: ${what}, or choose another format, such as csv-safe`);
}
