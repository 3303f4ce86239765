import type { Spelling, Spellings } from "./spellings.ts";

/** The parts of a point in time that a spelling contains; others are absent. */
export interface TimeFields {
  year?: number;
  month?: number;
  day?: number;
  yearDay?: number;
  week?: number;
  weekDay?: number;
  hour?: number;
  minute?: number;
  second?: number;
  /** the digits after the point, a fraction of the last one of hour, minute and second */
  fraction?: string;
  /** milliseconds east of UTC */
  offset?: number;
  /** milliseconds since the epoch, in place of all the others */
  millis?: number;
  /** 24:00 is the end of the day */
  endOfDay?: true;
}

/** Reads one element of a text at a position; returns the number of its characters, or undefined if it is missing. */
type Reader = (text: string, at: number, into: TimeFields) => number | undefined;

type NumberField = Exclude<keyof TimeFields, "fraction" | "offset" | "endOfDay">;

const MONTHS = "january february march april may june july august september october november december".split(" ");
const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

const NUMBERS: Readonly<Record<string, readonly [field: NumberField, most: number]>> = {
  M: ["month", 2],
  D: ["day", 2],
  J: ["yearDay", 3],
  w: ["week", 2],
  e: ["weekDay", 1],
  h: ["hour", 2],
  m: ["minute", 2],
  s: ["second", 2],
};

const READERS: Readonly<Record<string, Reader>> = {
  y: yearOf(9),
  Y: yearOf(4),
  HH: (text, at, into) => {
    into.endOfDay = true;
    return digits("hour", 2, 2)(text, at, into);
  },
  n: digits("millis", 13, 13),
  a: nameOf("weekDay", WEEKDAYS),
  b: nameOf("month", MONTHS),
  f: fractionOf(/[.,](\d{1,9})/y),
  F: fractionOf(/\.(\d{0,9})/y),
  z: offset,
  Z: strictOffset,
  x: (text, at) => matched(/Z|[+-]\d\d:\d\d/iy, text, at),
  r: (text, at) => matched(/\[[\w/+:-]+\]/y, text, at),
};

interface Compiled {
  /** a text in such a spelling begins with a letter */
  readonly startsWithLetter: boolean;
  readonly begin: readonly Reader[];
  readonly end: readonly (readonly Reader[])[];
}

export function compileSpellings({ begin, end }: Spellings): Compiled {
  return { startsWithLetter: /^[aT]/.test(begin), begin: readersOf(begin), end: end.map(readersOf) };
}

/** The elements of a spelling: a letter, repeated for a number of exactly that many digits, or a literal character. */
function readersOf(spelling: Spelling): readonly Reader[] {
  return (spelling.match(/([a-zA-Z])\1*|[^a-zA-Z]/g) ?? []).map((element): Reader => {
    const number = NUMBERS[element.charAt(0)];
    if (number === undefined) return READERS[element] ?? literal(element);
    const [field, most] = number;
    return element.length > 1 ? digits(field, element.length, element.length) : digits(field, 1, most);
  });
}

/** The parsed parts for each spelling that matches the complete text. */
export function* scanTime(text: string, { begin, end }: Compiled): Generator<TimeFields> {
  const begun: TimeFields = {};
  const at = readAll(text, begin, 0, begun);
  if (at === undefined) return;
  for (const ending of end) {
    const fields = { ...begun };
    if (readAll(text, ending, at, fields) === text.length) yield fields;
  }
}

/** The end of the elements in the text; undefined if one of them is missing. */
function readAll(text: string, elements: readonly Reader[], from: number, into: TimeFields): number | undefined {
  let at = from;
  for (const element of elements) {
    const length = element(text, at, into);
    if (length === undefined) return undefined;
    at += length;
  }
  return at;
}

function literal(character: string): Reader {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return (text, at) => (text[at] === lower || text[at] === upper ? 1 : undefined);
}

function digits(field: NumberField, least: number, most: number): Reader {
  return (text, at, into) => {
    const length = countDigits(text, at, most);
    if (length < least) return undefined;
    into[field] = Number(text.slice(at, at + length));
    return length;
  };
}

function yearOf(most: number): Reader {
  return (text, at, into) => {
    const sign = text[at] === "-" || text[at] === "+" ? 1 : 0;
    const length = countDigits(text, at + sign, most);
    if (length === 0) return undefined;
    into.year = Number(text.slice(at, at + sign + length));
    return sign + length;
  };
}

function countDigits(text: string, at: number, most: number): number {
  let length = 0;
  while (length < most && isDigit(text.charCodeAt(at + length))) length++;
  return length;
}

/** NaN, which follows the end of a text, is not a digit. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function nameOf(field: NumberField, names: readonly string[]): Reader {
  return (text, at, into) => {
    const length = matched(/[a-z]+/iy, text, at) ?? 0;
    const word = text.slice(at, at + length).toLowerCase();
    const index = names.findIndex((name) => word === name || word === name.slice(0, 3));
    if (index < 0) return undefined;
    into[field] = index + 1;
    return length;
  };
}

function fractionOf(pattern: RegExp): Reader {
  return (text, at, into) => {
    pattern.lastIndex = at;
    const [all, after] = pattern.exec(text) ?? [];
    if (all === undefined) return undefined;
    into.fraction = after ?? "";
    return all.length;
  };
}

const OFFSET =
  /Z|(?<sign>[+-])(?<h>\d\d)(?:(?<m>\d\d)(?:(?<s>\d\d)(?<ms>\d{1,3})?)?|:(?<m>\d\d)(?::(?<s>\d\d)(?:[.,](?<ms>\d{1,3}))?)?)?/iy;

function offset(text: string, at: number, into: TimeFields): number | undefined {
  OFFSET.lastIndex = at;
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const { sign, h = "0", m = "0", s = "0", ms = "" } = match.groups ?? {};
  if (Number(h) > 23 || Number(m) > 59 || Number(s) > 59) return undefined;
  const millis = ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(ms.padEnd(3, "0"));
  into.offset = sign === "-" ? -millis : millis;
  return match[0].length;
}

/** At most 18 hours, as in java.time. */
function strictOffset(text: string, at: number, into: TimeFields): number | undefined {
  const length = offset(text, at, into);
  const isStrict = length === matched(/Z|[+-]\d\d:\d\d(?::\d\d)?/iy, text, at);
  return isStrict && Math.abs(into.offset ?? 0) <= 18 * 3_600_000 ? length : undefined;
}

function matched(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length;
}
