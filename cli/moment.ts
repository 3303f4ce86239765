import { formatTimestamp, parseMoment, type Timestamp } from "#storage/time.ts";
import { UsageError } from "./errors.ts";

const units: Readonly<Record<string, bigint>> = {
  m: 60_000_000n,
  h: 3_600_000_000n,
  d: 86_400_000_000n,
  w: 604_800_000_000n,
};

/** A point in time: absolute, or a duration before now. */
export type Moment = { readonly at: Timestamp } | { readonly ago: Timestamp };

/**
 * Reads `2026-11-20T12:00:00Z` or `2h`.
 * @throws UsageError naming the option when it is neither
 */
export function readMoment(option: string, text: string): Moment {
  const { count, unit = "" } = /^(?<count>\d{1,6})(?<unit>[mhdw])$/.exec(text)?.groups ?? {};
  const factor = units[unit];
  if (count !== undefined && factor !== undefined) return { ago: BigInt(count) * factor };
  const at = parseMoment(text);
  if (at !== undefined) return { at };
  throw new UsageError(
    `${option} must be a timestamp such as 2026-11-20T12:00:00Z or a duration such as 90m, 2h, 7d or 4w, not ${JSON.stringify(text)}`,
  );
}

/** The point in time, seen from `now`. */
export function momentAt(moment: Moment, now: Timestamp): Timestamp {
  return "at" in moment ? moment.at : now - moment.ago;
}

/** The same as text. */
export function momentText(moment: Moment, now: Timestamp): string {
  return formatTimestamp(momentAt(moment, now));
}
