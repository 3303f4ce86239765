const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Reads what somebody typed: `2d` is a time before now, as in the option `--as-of`; a time without offset is one of the zone
 * in which times are shown.
 * @returns undefined when it is neither
 */
export function readTime(text: string, now: Date, zone: "local" | "utc"): Date | undefined {
  const [, count, unit = ""] = /^\s*(\d{1,6})\s*([mhdw])\s*$/.exec(text) ?? [];
  const factor = units[unit];
  if (count !== undefined && factor !== undefined) return new Date(now.getTime() - Number(count) * factor);
  const [, date, time = "00:00", offset] =
    /^\s*(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\s*(Z|[+-]\d\d:\d\d)?)?\s*$/i.exec(text) ?? [];
  if (date === undefined) return undefined;
  const read = new Date(`${date}T${time}${offset ?? (zone === "utc" ? "Z" : "")}`);
  return Number.isNaN(read.getTime()) || !isOfCalendar(date) ? undefined : read;
}

/** The engines of browsers read February 30 as a day of March. */
function isOfCalendar(date: string): boolean {
  const read = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date);
}
