import { friendly } from "#storage/display/friendly.ts";
import { shortFile } from "#storage/display/short-file.ts";
import { oneLine, shortFailure } from "#storage/display/short-failure.ts";
import { formatAge, formatDuration } from "#storage/display/spans.ts";
import { isNumber, type Json, type JsonObject, numberText } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { type Column, type ColumnKind, isTime } from "./columns.ts";
import { printableCell } from "./printable.ts";
import { stateOfWord } from "#storage/states/words.ts";
import { stateText } from "./states.ts";

/** The context of a cell besides its value. */
export interface CellContext {
  readonly row: JsonObject;
  /** The present time of the data; undefined: ages are not shown. */
  readonly now: Date | undefined;
}

/** A value as text in one of the forms of its kind. */
type Form = (value: Json, column: Column, context: CellContext) => string;

const exact: Form = (value) => cellText(value);

/** The forms of each kind: the most complete first, each later one narrower. */
export const formsOf: Readonly<Record<ColumnKind, readonly Form[]>> = {
  certname: [exact],
  resource: [exact],
  text: [exact, shortText],
  number: [exact],
  message: [exact, ofMessage(friendlyLine), ofMessage(shortFailure)],
  state: [state],
  time: [ofTime((time, now) => `${seconds(time)} · ${formatAge(time, now)}`), ofTime(seconds), ofTime(formatAge)],
  hash: [exact, (value) => cellText(value).slice(0, 8)],
  duration: [(value) => (isNumber(value) ? formatDuration(Number(numberText(value))) : cellText(value))],
  path: [exact, (value) => shortFile(cellText(value))],
};

/** A cell's text on a terminal. */
export function cellIn(form: Form, value: Json, column: Column, context: CellContext): string {
  return printableCell(form(value, column, context));
}

/** Values of a list that are shown where there is no space for all. */
const SHOWN_VALUES = 2;

/** A text in one line; the first values of a list, and how many others there are. */
function shortText(value: Json): string {
  if (typeof value === "string" && value.includes("\n")) return oneLine(value);
  if (!Array.isArray(value) || value.length <= SHOWN_VALUES) return cellText(value);
  const shown = value.slice(0, SHOWN_VALUES).map((one) => cellText(one));
  return `${shown.join(", ")} and ${value.length - SHOWN_VALUES} more`;
}

function ofMessage(shorten: (message: string, context: { certname: string }) => string): Form {
  return (value, _column, { row }) =>
    typeof value === "string" ? shorten(value, { certname: cellText(row["certname"]) }) : cellText(value);
}

function friendlyLine(message: string, context: { certname: string }): string {
  return oneLine(friendly(message, context));
}

function state(value: Json, { states, absent }: Column): string {
  if (value === null) return absent === undefined ? "" : stateText(absent, stateOfWord(absent));
  const word = cellText(value);
  if (states === undefined) return stateText(word, stateOfWord(word));
  return stateText(word, Object.hasOwn(states, word) ? states[word] : undefined);
}

/** Without a present time, a form with an age is the time alone. */
function ofTime(write: (time: string, now: Date) => string): Form {
  return (value, _column, { now }) => {
    const time = cellText(value);
    if (!isTime(time)) return time;
    return now === undefined ? seconds(time) : write(time, now);
  };
}

function seconds(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)}`;
}
