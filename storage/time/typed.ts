/**
 * Times and ranges as people type them: in options of the command line and in fields of the explorer. Times of day
 * without an offset are those of a zone, by default UTC. Instants are milliseconds since the epoch.
 */
import { daysFromCivil, monthLength } from "./calendar.ts";
import type { Zone } from "./zone.ts";

const DAY = 86_400_000;

const units: Readonly<Record<string, readonly [name: string, ms: number]>> = {
  m: ["minute", 60_000],
  h: ["hour", 3_600_000],
  d: ["day", DAY],
  w: ["week", 7 * DAY],
};

/** `90m`, `24h`, `3d` or `4w` in ms; undefined when the text is not a span. */
export function spanMs(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (units[unit]?.[1] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The same for ranges, which begin in years of four digits. */
export function rangeSpanMs(text: string): number | undefined {
  const ms = spanMs(text);
  return ms === undefined || ms === 0 || ms > LONGEST ? undefined : ms;
}

/** More than all that Puppet has ever stored. */
const LONGEST = 9999 * DAY;

/** `3 days` for `3d` */
export function spanWords(span: string): string {
  const count = span.slice(0, -1);
  return `${count} ${units[span.slice(-1)]?.[0] ?? ""}${count === "1" ? "" : "s"}`;
}

/** `3d` for `3 days`, `3 d` and `3d` */
function shortSpan(text: string): string | undefined {
  const [, count, unit = ""] = /^(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)$/i.exec(text) ?? [];
  return count === undefined ? undefined : count + unit.charAt(0).toLowerCase();
}

/** What relative times are relative to. */
export interface Seen {
  readonly now: number;
  /** Default: UTC. */
  readonly zone?: Zone | undefined;
}

/** An instant, or a day and a time of day of which one may be missing. Days are since 1970, times of day are in ms. */
type Point =
  | { readonly at: number; readonly isNow?: boolean }
  | { readonly day: number; readonly clock: number | undefined; readonly isToday: boolean }
  | { readonly clock: number };

const POINT =
  /^(?:(?<date>\d{4}-\d\d-\d\d)|(?<word>today|yesterday))?(?:(?:^|T| (?:at )?)(?<h>\d\d?):(?<m>\d\d)(?::(?<s>\d\d(?:\.\d{1,3})?))? ?(?<offset>Z|[+-]\d\d:\d\d)?)?$/i;

function readPoint(text: string, seen: Seen): Point | undefined {
  const typed = text.trim().replaceAll(/\s+/g, " ");
  if (/^now$/i.test(typed)) return { at: seen.now, isNow: true };
  const ago = spanMs(shortSpan(typed.replace(/ ago$/i, "")) ?? "");
  if (ago !== undefined) return { at: seen.now - ago };
  const { date, word, h, m, s = "0", offset } = POINT.exec(typed)?.groups ?? {};
  const clock = h === undefined ? undefined : clockOf(Number(h), Number(m), Number(s));
  if (Number.isNaN(clock)) return undefined;
  if (date === undefined && word === undefined) {
    return clock === undefined || offset !== undefined ? undefined : { clock };
  }
  const today = Math.floor(wallTime(seen.now, seen.zone) / DAY);
  const day = date === undefined ? today - (/^y/i.test(word ?? "") ? 1 : 0) : dayOf(date);
  if (day === undefined) return undefined;
  if (offset !== undefined) return { at: day * DAY + (clock ?? 0) - offsetMs(offset) };
  return { day, clock, isToday: word !== undefined && day === today };
}

/** NaN for a time that no clock shows; 24:00 is the end of the day. */
function clockOf(hours: number, minutes: number, seconds: number): number {
  const ms = Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000);
  return minutes < 60 && seconds < 60 && ms <= DAY ? ms : Number.NaN;
}

function dayOf(date: string): number | undefined {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const isOfCalendar = month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  return isOfCalendar ? daysFromCivil(year, month, day) : undefined;
}

function offsetMs(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function wallTime(instant: number, zone: Zone | undefined): number {
  return zone?.wallTime(instant) ?? instant;
}

function instantOf(day: number, clock: number, { zone }: Seen): number {
  const wall = day * DAY + clock;
  return zone?.instant(wall) ?? wall;
}

/**
 * Reads a point in time: `2026-11-18 12:00`, `2026-11-18`, `yesterday 02:00`, `2d`, `3 hours ago`, `now`.
 * @returns undefined when the text is none
 */
export function readTypedTime(text: string, seen: Seen): number | undefined {
  const point = readPoint(text, seen);
  if (point === undefined || !("at" in point || "day" in point)) return undefined;
  return "at" in point ? point.at : instantOf(point.day, point.clock ?? 0, seen);
}

/** A number of units before now (`3d`), or from a time to another one, by default to now. */
export type TypedRange =
  | { readonly last: string }
  | { readonly last?: undefined; readonly from: number; readonly to: number | undefined };

/** Between the ends of a range; a hyphen without spaces also where it could be part of a date. */
const BETWEEN = /\s*(?:–|—|\.\.)\s*|\s(?:-|to|until)\s|-/gi;

/**
 * Reads a range: `last 3 days`, `yesterday`, `yesterday 02:00–04:00`, `2026-11-18 – 2026-11-20`, `since 2026-11-18 12:00`.
 * A day at its end belongs to it; a time of day at its end is the next after its beginning.
 * @returns undefined when the text is none, or ends before it begins
 */
export function readTypedRange(text: string, seen: Seen): TypedRange | undefined {
  const typed = text.trim().replaceAll(/\s+/g, " ");
  const [, amount] = /^(?:last|past) (.+)$/i.exec(typed) ?? [];
  const last = shortSpan(amount ?? typed) ?? shortSpan(amount === undefined ? "" : `1 ${amount}`);
  if (last !== undefined) return rangeSpanMs(last) === undefined ? undefined : { last };
  const [, since] = /^(?:since|from) (.+)$/i.exec(typed) ?? [];
  const open: Point = { at: seen.now, isNow: true };
  if (since !== undefined) {
    const range = between(readPoint(since, seen), open, seen);
    if (range !== undefined) return range;
  }
  const whole = readPoint(typed, seen);
  if (whole !== undefined && "day" in whole && whole.clock === undefined) return between(whole, whole, seen);
  const sides = since ?? typed;
  for (const { 0: mark, index } of sides.matchAll(BETWEEN)) {
    const range = between(
      readPoint(sides.slice(0, index), seen),
      readPoint(sides.slice(index + mark.length), seen),
      seen,
    );
    if (range !== undefined) return range;
  }
  return undefined;
}

function between(left: Point | undefined, right: Point | undefined, seen: Seen): TypedRange | undefined {
  if (left === undefined || right === undefined) return undefined;
  const today = Math.floor(wallTime(seen.now, seen.zone) / DAY);
  const first = "at" in left || "day" in left ? left : { day: today, clock: left.clock };
  const from = "at" in first ? first.at : instantOf(first.day, first.clock ?? 0, seen);
  const to = endOf(right, first, seen);
  const isOpen = "at" in right ? right.isNow === true : "day" in right && right.isToday && right.clock === undefined;
  if (to === undefined || from >= (isOpen ? seen.now : to)) return undefined;
  return { from, to: isOpen ? undefined : to };
}

function endOf(
  right: Point,
  left: { readonly at: number } | { readonly day: number; readonly clock: number | undefined },
  seen: Seen,
): number | undefined {
  if ("at" in right) return right.at;
  if ("day" in right) return instantOf(right.day, right.clock ?? DAY, seen);
  if ("at" in left) return undefined;
  return instantOf(right.clock > (left.clock ?? 0) ? left.day : left.day + 1, right.clock, seen);
}

/** A time as it can be typed: `2026-11-18 12:00`, with seconds only where it has some. */
export function typedTime(instant: number, zone?: Zone): string {
  const [date = "", clock = ""] = new Date(wallTime(instant, zone)).toISOString().split("T");
  return `${date} ${clock.replace(/(?::00)?\.000Z$|Z$/, "")}`;
}

/** A range as it can be typed: `2026-11-18 02:00 – 04:00`, `2026-11-18 – 2026-11-20`, `since 2026-11-18 12:00`. */
export function typedRange(
  { from, to }: { readonly from: number; readonly to: number | undefined },
  zone?: Zone,
): string {
  const begin = typedTime(from, zone);
  if (to === undefined) return `since ${begin}`;
  const [first, last] = [wallTime(from, zone), wallTime(to, zone)];
  if (first % DAY === 0 && last % DAY === 0) {
    const [day, lastDay] = [begin, typedTime(to - 1, zone)].map((text) => text.slice(0, DATE));
    return day === lastDay ? `${day}` : `${day} – ${lastDay}`;
  }
  const end = typedTime(to, zone);
  return `${begin} – ${begin.slice(0, DATE) === end.slice(0, DATE) && last > first ? end.slice(DATE + 1) : end}`;
}

/** Characters of `2026-11-18`. */
const DATE = 10;
