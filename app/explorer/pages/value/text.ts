import { type Json, isNumber, isObject, numberText } from "#storage/json.ts";

/** Characters shown of a long text before "show all". */
export const SHOWN_CHARACTERS = 2000;

/** A part of a text: as it is, or marks in place of invisible characters. */
export interface TextPart {
  readonly text: string;
  readonly isMark: boolean;
}

/**
 * Characters without a shape, or that change how others are shown: control, bidirectional, zero-width, lone surrogates.
 * Line ends and tabs are shown by the page's layout; the two variation selectors of emoji are harmless.
 */
const INVISIBLE =
  /(?!\n|\t|\r\n|\uFE0E|\uFE0F)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** The character as a mark: `␀`, `⟨U+202E⟩`. */
function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with every invisible character as a mark. */
export function visibleText(text: string): string {
  return text.replaceAll(INVISIBLE, markOf);
}

/** The text with every invisible character as a mark, marks apart from the rest. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const add = (part: string, isMark: boolean): void => {
    if (part === "") return;
    const last = parts.at(-1);
    if (last?.isMark === isMark) parts[parts.length - 1] = { text: last.text + part, isMark };
    else parts.push({ text: part, isMark });
  };
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    add(text.slice(end, index), false);
    add(markOf(character), true);
    end = index + character.length;
  }
  add(text.slice(end), false);
  return parts;
}

/** A name as it is, or in quotes when nobody could see where it begins and ends. */
export function nameText(name: string): string {
  return name.trim() === name && name !== "" ? name : JSON.stringify(name);
}

/** The beginning of a text, at most `limit` UTF-16 units, without parting a surrogate pair. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd8_00 && last < 0xdc_00 ? limit - 1 : limit);
}

/** Whether a text without quotes would be read as another type, or as nothing: `""`, `"true"`, `"1.0"`, `" a"`. */
export function needsQuotes(text: string): boolean {
  return text.trim() !== text || text === "" || /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
}

/**
 * JSON in one line with spaces after commas and colons, exact numbers as they were read. Stops soon after `limit` characters, so
 * that large values cost little.
 */
export function compactJson(value: Json, limit = Infinity): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const write = (one: Json): void => {
    if (Array.isArray(one)) {
      writeAll("[", one, "]", write);
    } else if (isObject(one)) {
      writeAll("{", Object.keys(one), "}", (key) => {
        add(`${jsonText(key, limit)}: `);
        write(one[key] ?? null);
      });
    } else {
      add(isNumber(one) ? numberText(one) : typeof one === "string" ? jsonText(one, limit) : String(one));
    }
  };
  const writeAll = <T>(open: string, all: readonly T[], close: string, writeOne: (one: T) => void): void => {
    add(open);
    for (const [index, one] of all.entries()) {
      if (length > limit) return;
      if (index > 0) add(", ");
      writeOne(one);
    }
    add(close);
  };
  write(value);
  return parts.join("");
}

/** A value that should be a text: itself, or JSON where it is something else. */
export function valueText(value: Json): string {
  return typeof value === "string" ? value : compactJson(value);
}

function jsonText(text: string, limit: number): string {
  return JSON.stringify(text.length > limit ? text.slice(0, limit + 1) : text);
}
