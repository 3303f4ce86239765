import { displayWidth } from "../output/fit.ts";

/** The keys, and what they do. */
export const keyTable: readonly (readonly [keys: string, what: string])[] = [
  ["↑ ↓  k j", "choose a row"],
  ["PgUp PgDn  g G", "a screen further; first, last row"],
  ["Enter →", "open: an issue, a state, a node, a run"],
  ["Esc ←", "back; removes a filter first"],
  ["Tab  1 2 3 4", "the lists of a page"],
  ["/", "filter: rows with all these words"],
  ["s", "sort by the next column"],
  ["r", "read everything again"],
  ["Ctrl-Z", "suspend; fg continues"],
  ["q", "quit"],
];

/** The help as lines. */
export function helpLines(width: number): string[] {
  const keys = Math.max(...keyTable.map(([key]) => displayWidth(key)));
  const gap = width < 50 ? 1 : 3;
  return [
    "Keys",
    "",
    ...keyTable.map(([key, what]) => `${key}${" ".repeat(keys - displayWidth(key) + gap)}${what}`),
    "",
    "since: how long it has failed without a good run; > is longer",
  ];
}
