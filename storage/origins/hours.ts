import { parseTimestamp, type Timestamp } from "../time.ts";
import { fieldsOf, textOf } from "./origin-node.ts";
import type { Json } from "../json.ts";

/** The reports of an hour, by when they were produced. */
export interface Hour {
  readonly count: number;
  /** The least and the greatest of their hashes. */
  readonly min: string;
  readonly max: string;
}

/** Hours by their names, e.g. `2026-11-20 14`, in UTC. */
export type Hours = ReadonlyMap<string, Hour>;

/** Its microseconds. */
export const HOUR: Timestamp = 3_600_000_000n;

/** The mask of such a name for `to_string`. */
export const hourMask = "YYYY-MM-DD HH24";

/** Reads a row of reports that are grouped by hour. @throws CensusError "bad-file" for anything else */
export function hourOf(row: Json): readonly [name: string, hour: Hour] {
  const fields = fieldsOf(row, "hour");
  return [
    textOf(fields, "to_string"),
    { count: Number(fields["count"]), min: textOf(fields, "min"), max: textOf(fields, "max") },
  ];
}

/** An hour of which there may be reports there that are not here. */
export interface DifferingHour {
  readonly name: string;
  readonly from: Timestamp;
  /** How many reports it has there. */
  readonly count: number;
  /** How it is there and here. When it is like this again, it need not be looked at again. */
  readonly state: string;
  /** How many reports are missing here at least. */
  readonly missing: number;
}

/**
 * Hours that differ, the newest first.
 * @param settled states of hours of which all reports are here: fewer there are what is kept longer here
 */
export function differingHours(there: Hours, here: Hours, settled: ReadonlyMap<string, string>): DifferingHour[] {
  return [...there]
    .flatMap(([name, hour]): DifferingHour[] => {
      const own = here.get(name);
      const state = JSON.stringify([hour, own]);
      const from = parseTimestamp(`${name.replace(" ", "T")}:00:00Z`);
      if (isSame(hour, own) || from === undefined || settled.get(name) === state) return [];
      const { count } = hour;
      return [{ name, from, count, state, missing: Math.max(1, count - (own?.count ?? 0)) }];
    })
    .sort((a, b) => (a.from < b.from ? 1 : -1));
}

/** Names of hours in which there are other reports than before. */
export function changedHours(before: Hours, now: Hours): ReadonlySet<string> {
  return new Set([...now].flatMap(([name, hour]) => (isSame(hour, before.get(name)) ? [] : [name])));
}

function isSame(hour: Hour, other: Hour | undefined): boolean {
  return hour.count === other?.count && hour.min === other.min && hour.max === other.max;
}

/** Hours that are listed in one request: at most so many, and so many reports unless one hour has more. */
const LISTED = { hours: 50, reports: 5000 };

/** Groups of hours, each for one request: a small fleet has few reports an hour. */
export function groupsOf(hours: readonly DifferingHour[]): DifferingHour[][] {
  const groups: DifferingHour[][] = [];
  let reports = Infinity;
  for (const hour of hours) {
    const last = groups.at(-1);
    reports += hour.count;
    if (last !== undefined && reports <= LISTED.reports && last.length < LISTED.hours) last.push(hour);
    else {
      groups.push([hour]);
      reports = hour.count;
    }
  }
  return groups;
}
