import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../errors.ts";

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads an interval such as `30s`, in milliseconds.
 * @throws UsageError naming the option
 */
export function readInterval(option: string, text: string): number {
  const { count = "", unit = "" } = /^(?<count>\d{1,6}(?:\.\d{1,3})?)(?<unit>[smh])$/.exec(text)?.groups ?? {};
  const ms = Number(count) * (units[unit] ?? 0);
  // Timers cannot be longer than 24 days.
  if (ms > 0 && ms <= 7 * 24 * 3_600_000) return ms;
  throw new UsageError(
    `${option} must be a duration such as 30s, 5m or 1h, a week at most, not ${JSON.stringify(text)}`,
  );
}

/** Resolves after some time, or when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
