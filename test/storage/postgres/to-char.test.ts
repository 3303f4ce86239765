import { DuckDBInstance } from "@duckdb/node-api";
import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCharSql } from "#storage/postgres/to-char.ts";

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
});

afterAll(() => connection.closeSync());

async function toChar(mask: string, timestamp: string | null): Promise<unknown> {
  const texts: string[] = [];
  const sql = toCharSql(mask, "t", (text) => `$${texts.push(text) + 1}::VARCHAR`);
  const result = await connection.runAndReadAll(`SELECT ${sql} FROM (SELECT $1::TIMESTAMP AS t)`, [
    timestamp,
    ...texts,
  ]);
  return result.getRows()[0]?.[0];
}

/** A Friday in the 47th week, day 324. */
const FRIDAY = "2026-11-20 10:05:09.012345";
/** A Saturday. */
const NIGHT = "2005-01-01 00:00:00";
const AFTERNOON = "2024-02-29 15:30:00.5";
const BEFORE_CHRIST = "0044-03-15 (BC) 12:00:00";

const cases: readonly (readonly [mask: string, timestamp: string, expected: string])[] = [
  // what PuppetDB was seen to answer
  ["YYYY-MM-DD HH24", FRIDAY, "2026-11-20 10"],
  ["HH24:MI", AFTERNOON, "15:30"],
  ["Day", NIGHT, "Saturday "],
  // hours
  ["HH HH12 HH24", AFTERNOON, "03 03 15"],
  ["HH HH12 HH24", NIGHT, "12 12 00"],
  ["FMHH FMHH24 FMMI", NIGHT, "12 0 0"],
  ["HH12:MI:SS AM", FRIDAY, "10:05:09 AM"],
  ["AM PM am pm A.M. P.M. a.m. p.m.", AFTERNOON, "PM PM pm pm P.M. P.M. p.m. p.m."],
  ["pm", BEFORE_CHRIST, "pm"],
  // fractions of a second and seconds of the day
  ["SS.MS SS.US", FRIDAY, "09.012 09.012345"],
  ["FMSS.FMMS", FRIDAY, "9.012"],
  ["FF1 FF2 FF3 FF4 FF5 FF6", FRIDAY, "0 01 012 0123 01234 012345"],
  ["SSSS SSSSS", FRIDAY, "36309 36309"],
  // years
  ["Y,YYY YYYY YYY YY Y", FRIDAY, "2,026 2026 026 26 6"],
  ["IYYY IYY IY I", NIGHT, "2004 004 04 4"],
  ["FMYYY FMYY FMY", "2003-05-01", "3 3 3"],
  ["yyyy-mm-dd hh24:mi:ss", FRIDAY, "2026-11-20 10:05:09"],
  ["YYYY BC", BEFORE_CHRIST, "0044 BC"],
  ["YYYY AD ad A.D. b.c.", FRIDAY, "2026 AD ad A.D. a.d."],
  ["YYYY", "12026-01-01", "12026"],
  ["CC", "2000-12-31", "20"],
  ["CC", "2001-01-01", "21"],
  ["CC FMCC", BEFORE_CHRIST, "-01 -1"],
  // months and days
  ["MONTH|Month|month|", "2026-05-01", "MAY      |May      |may      |"],
  ["FMMonth FMDD, YYYY", "2026-05-01", "May 1, 2026"],
  ["TMMonth|", "2026-05-01", "May|"],
  ["MON Mon mon MM FMMM", "2026-05-01", "MAY May may 05 5"],
  ["DAY|Day|day|", FRIDAY, "FRIDAY   |Friday   |friday   |"],
  ["FMDay, FMDD  HH12:MI:SS", "2026-05-05 05:39:18", "Tuesday, 5  05:39:18"],
  ["DY Dy dy", FRIDAY, "FRI Fri fri"],
  ["DDD DD D ID", FRIDAY, "324 20 6 5"],
  ["DDD FMDDD D ID", "2026-01-04", "004 4 1 7"],
  ["IDDD", NIGHT, "370"],
  ["WW W IW Q", FRIDAY, "47 3 47 4"],
  ["WW IW IYYY-IW-ID", NIGHT, "01 53 2004-53-6"],
  ["J", "2000-01-01", "2451545"],
  ["J", "1970-01-01 23:59:59", "2440588"],
  ["RM|rm|FMRM|", "2026-08-01", "VIII|viii|VIII|"],
  ["RM|FMrm|", "2026-05-01", "V   |v|"],
  // zone
  ["TZ tz TZH:TZM OF FMOF", FRIDAY, "UTC utc +00:00 +00 +0"],
  // ordinals
  ["DDth DDTH", "2026-11-01", "01st 01ST"],
  ["FMDDth", "2026-11-02", "2nd"],
  ["FMDDth", "2026-11-03", "3rd"],
  ["FMDDth", "2026-11-12", "12th"],
  ["FMDDTH", "2026-11-22", "22ND"],
  ["DDDth", "2026-04-21", "111th"],
  ["Y,YYYth", FRIDAY, "2,026th"],
  ["CCth", FRIDAY, "21st"],
  ["Monthth|", "2026-05-01", "May      |"],
  ["DDSP", FRIDAY, "20"],
  // text
  ['"Year:" YYYY', FRIDAY, "Year: 2026"],
  ['YYYY"Y\\"M"MM', FRIDAY, '2026Y"M11'],
  ['\\"YYYY\\"', FRIDAY, '"2026"'],
  ['"unclosed YYYY', FRIDAY, "unclosed YYYY"],
  ["YYYY é % ' 日", FRIDAY, "2026 é % ' 日"],
  ["--", FRIDAY, "--"],
  // the longest keyword wins, and a keyword in odd case falls apart
  ["MMM", FRIDAY, "11M"],
  ["Yyyy", FRIDAY, "6026"],
  ["FXYYYY", FRIDAY, "2026"],
];

describe("toCharSql", () => {
  it.each(cases)("writes %j of %s as %j", async (mask, timestamp, expected) => {
    expect(await toChar(mask, timestamp)).toBe(expected);
  });

  it.each(["YYYY", "text only: '-'"])("gives null for a null timestamp and the mask %j", async (mask) => {
    expect(await toChar(mask, null)).toBeNull();
  });

  it("gives null for the empty mask", async () => {
    expect(await toChar("", FRIDAY)).toBeNull();
  });

  it("takes every character of the mask through the caller's literal", () => {
    expect(toCharSql("'; DROP", "t", () => "?")).not.toContain(";");
  });
});
