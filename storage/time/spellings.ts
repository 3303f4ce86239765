/**
 * The spellings of points in time. A spelling is a text of elements, which `scan.ts` reads from left to right; any
 * other character matches itself, in upper or lower case.
 *
 * | element | reads | | --- | --- | | `y` | a year of 1 to 9 digits, optionally with a sign; `Y` of at most 4 | | `M`
 * `D` `J` `w` `h` `m` `s` | month, day, day of the year, week, hour, minute, second: 1 or 2 digits, `J` up to 3 | |
 * `MM` `DD` `JJJ` `ww` `hh` `mm` `ss` | the same with exactly that many digits; `HH` an hour that may be 24, the end of
 * the day | | `e` | a day of the week, 1 = Monday | | `n` | milliseconds since the epoch in 13 digits | | `a` `b` |
 * names of a day of the week and of a month, short or long | | `f` | a decimal fraction of what is before it: a point
 * or a comma and 1 to 9 digits; `F` a point and 0 to 9 digits | | `z` | an offset: `Z`, `±hh`, `±hhmm`, `±hh:mm` …; `Z`
 * one with colons; `x` like `Z`, but without effect | | `r` | the name of a time zone in brackets, which has no effect
 * after the offset before it |
 */
export type Spelling = string;

/** Spellings with a common beginning, which is read once. */
export interface Spellings {
  readonly begin: Spelling;
  readonly end: readonly Spelling[];
}

/** All spellings that begin with one of the first and continue with one of the second. */
function join(beginnings: readonly Spelling[], endings: readonly Spelling[]): Spelling[] {
  return beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending));
}

const CLOCKS = join(["h:m:s", "h:m:sf", "h:m", "h:mf", "h", "hf"], ["", "z"]);
const BASIC_CLOCKS = ["hhmmssz", "hhmmssfz"];
const AFTER_DATE = ["", ...join(["T"], ["", "z", ...CLOCKS])];
const AFTER_BASIC_DATE = ["", ...join(["T"], BASIC_CLOCKS)];

/**
 * The output of databases; and, in OpenVoxDB only, dates with an offset that has no effect, and offsets with a zone.
 */
const AFTER_FULL_DATE = [...AFTER_DATE, " h:m:s", "x", "Th:m:szr", "Th:m:sfzr", "Th:mzr"];

/**
 * Every spelling that PuppetDB 8 or OpenVoxDB 9 reads, in the order they are tried (`reference/query.md` §9.5), except
 * that digits are a year or a date if they can be one, and nothing if they may be seconds since the epoch.
 */
export const SPELLINGS: readonly Spellings[] = [
  { begin: "y-M-D", end: AFTER_FULL_DATE },
  ...["y-M", "y-JJJ", "y-Ww-e", "y-Ww"].map((begin) => ({ begin, end: AFTER_DATE })),
  { begin: "YMMDD", end: AFTER_BASIC_DATE },
  { begin: "y", end: AFTER_DATE },
  ...["YJJJ", "YWwwe"].map((begin) => ({ begin, end: AFTER_BASIC_DATE })),
  // A day of the year without leading zeros, if it cannot be a month.
  { begin: "y-J", end: ["", "Th:m:sz", "Th:m:sfz"] },
  // RFC 822.
  { begin: "a, D b y h:m:s z", end: [""] },
  // A time of day is one of 1970-01-01.
  ...["", "T"].map((begin) => ({ begin, end: [...CLOCKS, ...BASIC_CLOCKS] })),
  // OpenVoxDB only: milliseconds in as many digits as they have from 2001 to 2286; fewer could be seconds, more a date
  // and a time.
  { begin: "n", end: [""] },
];

/** The only spellings of the other wire formats: ISO date-times with an offset (`reference/commands.md` §3). */
export const WIRE_SPELLINGS: readonly Spellings[] = [{ begin: "y-MM-DDTHH:mm", end: [":ssFZ", ":ssZ", "Z"] }];
