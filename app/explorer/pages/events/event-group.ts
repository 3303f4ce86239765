import type { Json } from "#storage/json.ts";

/** Events that have something in common. */
export interface EventGroup {
  readonly key: string;
  /** Of the fields that they are grouped by. */
  readonly values: readonly string[];
  readonly events: number;
  readonly nodes: number;
}

/** Identifies a group by the values of its fields. */
export function groupKey(values: readonly Json[]): string {
  return JSON.stringify(values);
}

/** The text of a group: `File[/etc/motd]`, or its only value. */
export function groupText({ values: [first = "", second] }: EventGroup): string {
  return second === undefined ? first : `${first}[${second}]`;
}
