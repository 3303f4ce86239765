import type { StateKey } from "../state/states.ts";

/** The counts at a time. */
export interface Reading {
  /** ms since 1970 */
  readonly time: number;
  readonly counts: ReadonlyMap<StateKey, number>;
}

const HOUR_MS = 3_600_000;

/** The readings with a new one; those that no change is computed from any more are dropped. */
export function recorded(readings: readonly Reading[], reading: Reading): readonly Reading[] {
  const all = [...readings, reading];
  const kept = all.findLastIndex(({ time }) => time <= reading.time - HOUR_MS);
  return all.slice(Math.max(kept, 0));
}

/** How much a count grew within the last hour, or since the first reading when that is younger. */
export function changeSince(readings: readonly Reading[], state: StateKey): number {
  const first = readings[0]?.counts.get(state) ?? 0;
  return (readings.at(-1)?.counts.get(state) ?? 0) - first;
}
