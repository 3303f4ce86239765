/** A text of a row: as UTF-8 where it is long, so that it moves from thread to thread and into the engine without copies. */
export type RowText = string | Uint8Array;

/** Texts of more characters are long. */
const LONG = 1024 * 1024;

const encoder = new TextEncoder();

export function rowText(text: string): RowText {
  return text.length > LONG ? encoder.encode(text) : text;
}

/** The same of a column that may be NULL. */
export function optionalText(text: string | null): RowText | null {
  return text === null ? null : rowText(text);
}

/** Whether {@link rowText} makes bytes of a text. */
export function isLong(text: string | null): boolean {
  return text !== null && text.length > LONG;
}

/** Whether the rows of a command of this many bytes may have a long text. */
export function mayHaveLongTexts(bytes: number): boolean {
  return bytes > LONG;
}

/** The memory of all long texts in what was prepared. */
export function longTextsIn(value: unknown): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  collect(value, found);
  return found;
}

function collect(value: unknown, found: ArrayBuffer[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) for (const element of value) collect(element, found);
  else if (!(value instanceof Uint8Array)) for (const inner of Object.values(value)) collect(inner, found);
  else if (value.buffer instanceof ArrayBuffer) found.push(value.buffer);
}
