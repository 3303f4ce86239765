/** The look of a series: a colour and a texture, declared in `style/charts.css` and `patterns.tsx`. */
export type SeriesToken =
  | "failed"
  | "hidden"
  | "corrective"
  | "changed"
  | "pending"
  | "unchanged"
  | "silent"
  | "never"
  | "value"
  | "value-2"
  | "value-3"
  | "value-4";

/** One of the quantities that a chart shows side by side. */
export interface Series {
  readonly key: string;
  /** "failed" */
  readonly label: string;
  readonly token: SeriesToken;
}

/** What is known at one place of a line: x (ms since 1970 for times), then one number per series; null: none. */
export type LinePoint = readonly [x: number, ...values: (number | null)[]];

/** Looks of series that are no states, in the order in which they are given out. */
export const valueTokens: readonly SeriesToken[] = ["value", "value-2", "value-3", "value-4"];
