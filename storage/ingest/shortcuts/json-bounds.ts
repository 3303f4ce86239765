import {
  afterString,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  viewOf,
} from "../../wire/json-bytes.ts";

/** A member of a JSON object's text. */
export interface Member {
  /** As written, quotes included. */
  readonly name: string;
  /** The first byte of the value. */
  readonly from: number;
  /** The byte after the value's last. */
  readonly to: number;
  /** The commas between the elements of a list or an object; undefined where its length was known, so that they were skipped. */
  readonly commas: readonly number[] | undefined;
}

/**
 * The members of a JSON object (UTF-8), found without parsing their values, for half of the cost. The text is not
 * validated.
 * @param lengthOf the length in bytes of a member's value, where that is known; called for each member in turn
 * @returns undefined when the text does not look like an object
 */
export function topLevelMembers(json: Buffer, lengthOf?: (name: string) => number | undefined): Member[] | undefined {
  const members: Member[] = [];
  const view = viewOf(json);
  let at = afterBlank(json, 0);
  if (json[at] !== OPEN_OBJECT) return undefined;
  at = afterBlank(json, at + 1);
  while (json[at] === QUOTE) {
    const nameEnd = afterString(view, at + 1);
    const colon = afterBlank(json, nameEnd);
    if (json[colon] !== COLON) return undefined;
    const from = afterBlank(json, colon + 1);
    const name = json.toString("utf8", at, nameEnd);
    const length = lengthOf?.(name);
    const commas: number[] | undefined = length === undefined ? [] : undefined;
    const to = commas === undefined ? from + (length ?? 0) : afterValue(view, from, commas);
    members.push({ name, from, to, commas });
    at = afterBlank(json, to);
    if (json[at] !== COMMA) break;
    at = afterBlank(json, at + 1);
  }
  return json[at] === CLOSE_OBJECT ? members : undefined;
}

/**
 * The bounds of a JSON list's elements: the first byte of each and the byte after its last, alternating. The text is not
 * validated.
 * @returns undefined when the text does not look like a list, or was skipped
 */
export function itemsOf(json: Buffer, { from, to, commas }: Member): number[] | undefined {
  const end = to - 1;
  if (json[from] !== OPEN_LIST || json[end] !== CLOSE_LIST || commas === undefined) return undefined;
  const items: number[] = [];
  let start = afterBlank(json, from + 1);
  if (start === end) return items;
  for (const comma of commas) {
    items.push(start, comma);
    start = afterBlank(json, comma + 1);
  }
  items.push(start, end);
  return items;
}

function afterBlank(json: Buffer, from: number): number {
  let at = from;
  while ((json[at] ?? QUOTE) <= 0x20) at++;
  return at;
}

/** @param commas is filled with the places of those between the elements of a list or an object */
function afterValue(json: DataView, from: number, commas: number[]): number {
  const first = from < json.byteLength ? json.getUint8(from) : COMMA;
  if (first === QUOTE) return afterString(json, from + 1);
  return first === OPEN_LIST || first === OPEN_OBJECT ? afterNested(json, from, commas) : afterScalar(json, from);
}

function afterNested(json: DataView, from: number, commas: number[]): number {
  const { byteLength: end } = json;
  let depth = 0;
  for (let at = from; at < end; at++) {
    const byte = json.getUint8(at);
    if (byte === QUOTE) at = afterString(json, at + 1) - 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0) return at + 1;
    else if (byte === COMMA && depth === 1) commas.push(at);
  }
  return end;
}

function afterScalar(json: DataView, from: number): number {
  let at = from;
  while (at < json.byteLength && !endsScalar(json.getUint8(at))) at++;
  return at;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT;
}
