import type { TimedSelection } from "../compile/histogram.ts";
import { junction } from "../fold.ts";
import type { Condition } from "../tree.ts";

/** Milliseconds since the epoch as microseconds. */
export function micros(ms: number): bigint {
  return BigInt(ms) * 1000n;
}

/** The rows whose time is at or after `from`, and before `to`, in milliseconds since the epoch. */
export function within<Timed extends TimedSelection>(timed: Timed, { from, to }: { from: number; to?: number }): Timed {
  const { rows, time } = timed;
  const bounds: Condition[] = [{ kind: "compare", ref: time, op: ">=", value: { micros: micros(from) } }];
  if (to !== undefined) bounds.push({ kind: "compare", ref: time, op: "<", value: { micros: micros(to) } });
  const both: Condition[] = [...(rows.where === null ? [] : [rows.where]), { kind: "and", clauses: bounds }];
  return { ...timed, rows: { ...rows, where: junction("and", both) } };
}
