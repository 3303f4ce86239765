import { isNumber, isObject, type Json, numberText } from "#storage/json.ts";
import { formatDuration, formatTime } from "../time/format.ts";

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

/** A number with its noun: `1 row`, `3,000 rows`, `2 families`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}

const binary = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** A number of bytes in the unit with which it has one to four digits: `15.5 GiB`, `512 B`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  let size = Math.abs(bytes);
  let unit = 0;
  while (size >= 1023.95 && unit < binary.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${bytes < 0 ? "-" : ""}${size.toFixed(digits)} ${binary[unit] ?? ""}`;
}

/** A span in the two largest units: `2 d 5 h`, `3 min 20 s`. */
function formatLongSpan(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 172_800) return formatDuration(seconds);
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((size % 86_400) / 3600)} h`;
}

/** What the last part of a name says that a number means. The first that matches. */
const meanings: readonly (readonly [name: RegExp, format: (value: number) => string])[] = [
  [/(?:^|_)bytes$/i, formatBytes],
  [/(?:^|_)(?:mb|mib)$/i, (value) => formatBytes(value * 1024 * 1024)],
  [/(?:^|_)(?:seconds|secs)$/i, formatLongSpan],
  [/(?:^|_)(?:millis|milliseconds|ms)$/i, (value) => formatLongSpan(value / 1000)],
  [/(?:^|_)hours$/i, (value) => formatLongSpan(value * 3600)],
  [/(?:^|_)(?:epoch|timestamp|time|at|version)$/i, (value) => formatTime(new Date(value * 1000))],
];

/** Numbers under a name of a time are seconds since 1970 when they are between 2001 and 2100. */
const isEpoch = (value: number): boolean => value >= 1e9 && value < 4_102_444_800;

/**
 * The human form of a value whose name says what it means: bytes, spans, times.
 * @param name of the value, or the last part of its path: `size_bytes`
 * @returns undefined when the value is readable as it is
 */
export function humanForm(name: string, value: Json): string | undefined {
  if (typeof value === "string") return timeForm(value);
  if (!isNumber(value)) return undefined;
  const number = Number(numberText(value));
  if (!Number.isFinite(number)) return undefined;
  const [pattern, format] = meanings.find(([meaning]) => meaning.test(name)) ?? [];
  if (format === undefined) return undefined;
  const isTime = pattern === meanings.at(-1)?.[0];
  if (isTime ? !isEpoch(number) : Math.abs(number) < smallest(name)) return undefined;
  return format(number);
}

/** Numbers below this are readable as they are. */
function smallest(name: string): number {
  if (/bytes$/i.test(name)) return 1024;
  return /hours$/i.test(name) ? 48 : 60;
}

/** A time in ISO form, in the chosen zone. */
function timeForm(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : formatTime(date, "second");
}

/** A resource by type and title. */
export interface ResourceRef {
  readonly type: string;
  readonly title: string;
}

/** `File[/etc/motd]` */
export function refText({ type, title }: ResourceRef): string {
  return `${type}[${title}]`;
}

/** Reads `File[/etc/motd]`; undefined when it is anything else. */
export function parseRef(text: string): ResourceRef | undefined {
  const [, type, title] = /^([A-Z]\w*(?:::[A-Z]\w*)*)\[([\s\S]*)\]$/.exec(text) ?? [];
  return type === undefined || title === undefined ? undefined : { type, title };
}

/** Where a log line comes from. */
export interface SourcePath {
  readonly resource: ResourceRef;
  readonly property: string | undefined;
}

/** A resource or class that ends a path or is followed by the next part. */
const PART = /\/(?:([A-Z]\w*(?:::[A-Z]\w*)*)(?:\[([\s\S]*?)\])?|([a-z]\w*))(?=\/[A-Za-z]|$)/y;

/**
 * The resource and property that the source of a log line names: `/Stage[main]/Motd/File[/etc/motd]/content`. Titles may contain
 * slashes and brackets. @returns undefined for other sources, such as `Puppet`
 */
export function parseSource(source: string): SourcePath | undefined {
  let resource: ResourceRef | undefined;
  let property: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < source.length) {
    const [, type, title, name] = PART.exec(source) ?? [];
    if (property !== undefined || (type === undefined && name === undefined)) return undefined;
    if (type === undefined) property = name;
    else resource = title === undefined ? { type: "Class", title: type } : { type, title };
  }
  return resource === undefined ? undefined : { resource, property };
}
