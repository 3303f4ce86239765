import { formatTimestamp, parseMoment, type Timestamp, timestampOfMillis } from "#storage/time.ts";
import { readTypedTime, spanMs } from "#storage/time/typed.ts";
import { UsageError } from "./errors.ts";

/** A point in time: absolute, or seen from the present one. */
export type Moment = { readonly at: Timestamp } | { readonly seen: (now: Timestamp) => Timestamp };

/**
 * Reads `2026-11-20T12:00:00Z`, `2h` or `yesterday 02:00`.
 * @throws UsageError naming the option when it is none
 */
export function readMoment(option: string, text: string): Moment {
  const ago = spanMs(text);
  if (ago !== undefined) return { seen: (now) => now - BigInt(ago) * 1000n };
  const at = parseMoment(text);
  if (at !== undefined) return { at };
  // Whether a text can be read does not depend on the present time.
  if (readTypedTime(text, { now: 0 }) !== undefined) {
    return { seen: (now) => timestampOfMillis(readTypedTime(text, { now: Number(now / 1000n) }) ?? 0) };
  }
  throw new UsageError(
    `${option} must be a timestamp such as 2026-11-20T12:00:00Z or a duration such as 90m, 2h, 7d or 4w, or a time such as "yesterday 02:00", not ${JSON.stringify(text)}`,
  );
}

/** The point in time, seen from `now`. */
export function momentAt(moment: Moment, now: Timestamp): Timestamp {
  return "at" in moment ? moment.at : moment.seen(now);
}

/** The same as text. */
export function momentText(moment: Moment, now: Timestamp): string {
  return formatTimestamp(momentAt(moment, now));
}
