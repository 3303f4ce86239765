import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from "../../wire/json-bytes.ts";

/** A member of a JSON object's text: its name as written, quotes included, and where its value stands. */
export interface Member {
  readonly name: string;
  readonly from: number;
  /** Behind the value's last byte. */
  readonly to: number;
}

/**
 * The members of the object that a JSON text (UTF-8) is, found without reading their values: a tenth of what parsing
 * costs. Undefined when the text does not look like an object; that it is one is not made sure of.
 * @param lengthOf how many bytes the value of a member has that was met, where that is known
 */
export function topLevelMembers(json: Buffer, lengthOf?: (name: string) => number | undefined): Member[] | undefined {
  const members: Member[] = [];
  let at = behindBlank(json, 0);
  if (json[at] !== OPEN_OBJECT) return undefined;
  at = behindBlank(json, at + 1);
  while (json[at] === QUOTE) {
    const nameEnd = behindString(json, at);
    const colon = behindBlank(json, nameEnd);
    if (json[colon] !== COLON) return undefined;
    const from = behindBlank(json, colon + 1);
    const name = json.toString("utf8", at, nameEnd);
    const length = lengthOf?.(name);
    const to = length === undefined ? behindValue(json, from) : from + length;
    members.push({ name, from, to });
    at = behindBlank(json, to);
    if (json[at] !== COMMA) break;
    at = behindBlank(json, at + 1);
  }
  return json[at] === CLOSE_OBJECT ? members : undefined;
}

/**
 * Where the elements of a list stand in its text, or the members of an object: the first byte of each and the one behind
 * its last, by turns. That they are what they should be is not made sure of.
 * @returns undefined when the text looks like neither
 */
export function itemsOf(json: Buffer, { from, to }: Pick<Member, "from" | "to">): number[] | undefined {
  const close = json[from] === OPEN_LIST ? CLOSE_LIST : json[from] === OPEN_OBJECT ? CLOSE_OBJECT : undefined;
  const end = to - 1;
  if (close === undefined || json[end] !== close) return undefined;
  const items: number[] = [];
  let start = behindBlank(json, from + 1);
  if (start === end) return items;
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = behindString(json, at) - 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA && depth === 0) {
      items.push(start, at);
      start = behindBlank(json, at + 1);
    }
  }
  items.push(start, end);
  return items;
}

function behindBlank(json: Buffer, from: number): number {
  let at = from;
  while ((json[at] ?? QUOTE) <= 0x20) at++;
  return at;
}

/** Behind the closing quote of the string that begins at `from`. */
function behindString(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return json.length;
}

function behindValue(json: Buffer, from: number): number {
  const first = json[from];
  if (first === QUOTE) return behindString(json, from);
  return first === OPEN_LIST || first === OPEN_OBJECT ? behindNested(json, from) : behindScalar(json, from);
}

function behindNested(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = behindString(json, at) - 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0) return at + 1;
  }
  return json.length;
}

function behindScalar(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== COMMA && json[at] !== CLOSE_LIST && json[at] !== CLOSE_OBJECT) at++;
  return at;
}
