type Sql = (t: string) => string;

/** The output of one keyword of a mask. `sql` makes a DuckDB expression of a timestamp expression. */
export type DateField = {
  readonly sql: (t: string) => string;
  /** TH and th are allowed after it */
  readonly ordinal: boolean;
} & (
  | {
      readonly kind: "number";
      /** digits, padded with zeros */
      readonly width: number;
      /** FM does not remove the zeros */
      readonly fixed: boolean;
      /** may be negative; the sign does not count as a digit */
      readonly signed: boolean;
    }
  | {
      readonly kind: "text";
      /** characters, padded with blanks at the end; 0: not padded */
      readonly width: number;
      /** the output with FM, where it differs by more than the padding */
      readonly short?: Sql;
    }
);

function number(width: number, sql: Sql, more: { fixed?: boolean; signed?: boolean } = {}): DateField {
  return { kind: "number", sql, width, ordinal: true, fixed: more.fixed ?? false, signed: more.signed ?? false };
}

function text(sql: Sql, width = 0, ordinal = false): DateField {
  return { kind: "text", sql, width, ordinal };
}

/** Years before Christ count from 1: the year 0 is 1 BC. */
function shownYear(year: Sql): Sql {
  return (t) => `CASE WHEN ${year(t)} <= 0 THEN 1 - ${year(t)} ELSE ${year(t)} END`;
}

const year: Sql = (t) => `year(${t})`;
const shown = shownYear(year);
const isoShown = shownYear((t) => `isoyear(${t})`);
const micros: Sql = (t) => `microsecond(${t}) % 1000000`;
const modulo =
  (sql: Sql, by: number): Sql =>
  (t) =>
    `(${sql(t)}) % ${by}`;
const fraction = (digits: number): DateField =>
  number(digits, (t) => `(${micros(t)}) // ${10 ** (6 - digits)}`, { fixed: true });

const ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
const roman: Sql = (t) => `[${ROMAN.map((month) => `'${month}'`).join(", ")}][month(${t})]`;

const morning =
  (am: string, pm: string): Sql =>
  (t) =>
    `CASE WHEN hour(${t}) >= 12 THEN '${pm}' ELSE '${am}' END`;
const era =
  (bc: string, ad: string): Sql =>
  (t) =>
    `CASE WHEN ${year(t)} <= 0 THEN '${bc}' ELSE '${ad}' END`;

/** Keywords that mean the same in upper and lower case. */
const ANY_CASE: Readonly<Record<string, DateField>> = {
  HH: number(2, (t) => `(hour(${t}) + 11) % 12 + 1`),
  HH12: number(2, (t) => `(hour(${t}) + 11) % 12 + 1`),
  HH24: number(2, (t) => `hour(${t})`),
  MI: number(2, (t) => `minute(${t})`),
  SS: number(2, (t) => `second(${t})`),
  SSSS: number(1, (t) => `hour(${t}) * 3600 + minute(${t}) * 60 + second(${t})`),
  SSSSS: number(1, (t) => `hour(${t}) * 3600 + minute(${t}) * 60 + second(${t})`),
  MS: fraction(3),
  US: fraction(6),
  FF1: fraction(1),
  FF2: fraction(2),
  FF3: fraction(3),
  FF4: fraction(4),
  FF5: fraction(5),
  FF6: fraction(6),
  "Y,YYY": text((t) => `printf('%d,%03d', (${shown(t)}) // 1000, (${shown(t)}) % 1000)`, 0, true),
  YYYY: number(4, shown),
  YYY: number(3, modulo(shown, 1000)),
  YY: number(2, modulo(shown, 100)),
  Y: number(1, modulo(shown, 10)),
  IYYY: number(4, isoShown),
  IYY: number(3, modulo(isoShown, 1000)),
  IY: number(2, modulo(isoShown, 100)),
  I: number(1, modulo(isoShown, 10)),
  CC: number(2, (t) => `CASE WHEN ${year(t)} > 0 THEN (${year(t)} + 99) // 100 ELSE -(-${year(t)} // 100) - 1 END`, {
    signed: true,
  }),
  Q: number(1, (t) => `quarter(${t})`),
  MM: number(2, (t) => `month(${t})`),
  DDD: number(3, (t) => `dayofyear(${t})`),
  IDDD: number(3, (t) => `(week(${t}) - 1) * 7 + isodow(${t})`),
  DD: number(2, (t) => `day(${t})`),
  D: number(1, (t) => `dayofweek(${t}) + 1`),
  ID: number(1, (t) => `isodow(${t})`),
  WW: number(2, (t) => `(dayofyear(${t}) + 6) // 7`),
  W: number(1, (t) => `(day(${t}) + 6) // 7`),
  IW: number(2, (t) => `week(${t})`),
  J: number(1, (t) => `(${t})::DATE - DATE '1970-01-01' + 2440588`),
  // All times are in UTC.
  OF: { ...text(() => "'+00'"), kind: "text", width: 0, short: () => "'+0'" },
  TZH: text(() => "'+00'"),
  TZM: text(() => "'00'"),
  // "Fixed format" only concerns reading.
  FX: text(() => "''"),
};

/** Keywords whose own case decides the case of the output. */
const OWN_CASE: Readonly<Record<string, DateField>> = {
  AM: text(morning("AM", "PM")),
  PM: text(morning("AM", "PM")),
  am: text(morning("am", "pm")),
  pm: text(morning("am", "pm")),
  "A.M.": text(morning("A.M.", "P.M.")),
  "P.M.": text(morning("A.M.", "P.M.")),
  "a.m.": text(morning("a.m.", "p.m.")),
  "p.m.": text(morning("a.m.", "p.m.")),
  AD: text(era("BC", "AD")),
  BC: text(era("BC", "AD")),
  ad: text(era("bc", "ad")),
  bc: text(era("bc", "ad")),
  "A.D.": text(era("B.C.", "A.D.")),
  "B.C.": text(era("B.C.", "A.D.")),
  "a.d.": text(era("b.c.", "a.d.")),
  "b.c.": text(era("b.c.", "a.d.")),
  MONTH: text((t) => `upper(monthname(${t}))`, 9),
  Month: text((t) => `monthname(${t})`, 9),
  month: text((t) => `lower(monthname(${t}))`, 9),
  MON: text((t) => `upper(monthname(${t})[1:3])`),
  Mon: text((t) => `monthname(${t})[1:3]`),
  mon: text((t) => `lower(monthname(${t})[1:3])`),
  DAY: text((t) => `upper(dayname(${t}))`, 9),
  Day: text((t) => `dayname(${t})`, 9),
  day: text((t) => `lower(dayname(${t}))`, 9),
  DY: text((t) => `upper(dayname(${t})[1:3])`),
  Dy: text((t) => `dayname(${t})[1:3]`),
  dy: text((t) => `lower(dayname(${t})[1:3])`),
  RM: text(roman, 4),
  rm: text((t) => `lower(${roman(t)})`, 4),
  TZ: text(() => "'UTC'"),
  tz: text(() => "'utc'"),
};

/** Every keyword, as spelled in a mask. */
export const dateFields: Readonly<Record<string, DateField>> = {
  ...ANY_CASE,
  ...Object.fromEntries(Object.entries(ANY_CASE).map(([keyword, field]) => [keyword.toLowerCase(), field])),
  ...OWN_CASE,
};
