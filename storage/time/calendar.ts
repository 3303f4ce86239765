/** The Gregorian calendar, extended to all years; dates are days since 1970-01-01, negative before. */

/** Days in the 400 years after which the calendar repeats; JavaScript's own dates end at the year 275760. */
const CYCLE_DAYS = 146_097;

/** The day number of a date; months and days beyond their range count on into the next ones. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const cycles = Math.floor((year - 2000) / 400);
  return Date.UTC(year - cycles * 400, month - 1, day) / 86_400_000 + cycles * CYCLE_DAYS;
}

export function civilDate(dayNumber: bigint): { year: number; month: number; day: number } {
  const cycles = Math.floor(Number(dayNumber) / CYCLE_DAYS);
  const date = new Date((Number(dayNumber) - cycles * CYCLE_DAYS) * 86_400_000);
  return { year: date.getUTCFullYear() + cycles * 400, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function monthLength(year: number, month: number): number {
  return daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);
}

export function yearLength(year: number): number {
  return daysFromCivil(year + 1, 1, 1) - daysFromCivil(year, 1, 1);
}

/** The Monday of ISO week 1, the week that holds 4 January. */
export function firstMonday(year: number): number {
  return mondayOf(daysFromCivil(year, 1, 4));
}

export function weeksOf(year: number): number {
  return (firstMonday(year + 1) - firstMonday(year)) / 7;
}

/** The Monday of the week that a day is in; 1970-01-01 is a Thursday. */
export function mondayOf(day: number): number {
  return day - ((((day + 3) % 7) + 7) % 7);
}
