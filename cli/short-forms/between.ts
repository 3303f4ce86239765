import type { Timestamp } from "#storage/time.ts";
import { momentText, readMoment } from "../moment.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";

/** The options of commands that show what happened between two times. */
export interface Moments {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Conditions of a time between `--since` and `--until`, seen from a time.
 * @throws UsageError naming the option that is neither a time nor a duration
 */
export function betweenMoments(field: string, { since, until }: Moments): (now: Timestamp) => readonly string[] {
  const bounds = [
    ...(since === undefined ? [] : [{ operator: ">=", moment: readMoment("--since", since) }]),
    ...(until === undefined ? [] : [{ operator: "<", moment: readMoment("--until", until) }]),
  ];
  return (now) => bounds.map(({ operator, moment }) => `${field} ${operator} ${pqlString(momentText(moment, now))}`);
}
