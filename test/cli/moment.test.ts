import { expect, it } from "vitest";
import { momentText, readMoment } from "#cli/moment.ts";
import { time } from "#test/fixture-store.ts";

it.each([
  ["90m", "2026-11-20T10:30:00.000Z"],
  ["1w", "2026-11-13T12:00:00.000Z"],
  ["yesterday", "2026-11-19T00:00:00.000Z"],
  ["yesterday 02:00", "2026-11-19T02:00:00.000Z"],
  ["3 hours ago", "2026-11-20T09:00:00.000Z"],
  ["2026-11-18 12:30", "2026-11-18T12:30:00.000Z"],
  ["2026-11-18T12:30:00+02:00", "2026-11-18T10:30:00.000Z"],
  ["Wed, 18 Nov 2026 12:30:00 +0000", "2026-11-18T12:30:00.000Z"],
])("an option reads %j in UTC, seen from the time of the data", (text, expected) => {
  expect(momentText(readMoment("--since", text), time("2026-11-20T12:00:00Z"))).toBe(expected);
});

it.each(["noon", "12:00", "tomorrow", "", "2026-02-30"])("an option that is %j is refused with examples", (text) => {
  expect(() => readMoment("--since", text)).toThrow(/^--since must be a timestamp .*"yesterday 02:00", not /);
});
