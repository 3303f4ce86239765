import type { TimedSelection } from "../compile/histogram.ts";
import { withinWindow } from "../facets/time-window.ts";
import { junction } from "../fold.ts";

/** Milliseconds since the epoch as microseconds. */
export function micros(ms: number): bigint {
  return BigInt(ms) * 1000n;
}

/** The rows whose time is at or after `from`, and before `to`, in milliseconds since the epoch. */
export function within<Timed extends TimedSelection>(timed: Timed, { from, to }: { from: number; to?: number }): Timed {
  const { rows, time } = timed;
  const bounds = withinWindow(time, { from: micros(from), to: to === undefined ? null : micros(to) });
  const both = [rows.where, bounds].filter((condition) => condition !== null);
  return { ...timed, rows: { ...rows, where: junction("and", both) } };
}
