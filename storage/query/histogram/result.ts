import { list, loose, number, object, type Shaped, text } from "../../shape.ts";

/**
 * What a bucket has: how many rows; of reports also how many nodes, each with what became of its last run in the bucket, or how
 * many runs, and how long they took.
 */
export const measures = ["rows", "nodes", "duration"] as const;

export type Measure = (typeof measures)[number];

/** Rows counted by time, or how long runs took. */
export const histogramShape = object({
  width: number("Of a bucket, in seconds; buckets in which clocks are changed may be longer or shorter"),
  unit: text(),
  series: list(text(), "What is counted apart, in the order of the counts; of durations `runs`, `median` and `p95`"),
  buckets: list(
    loose<readonly [from: string, ...counts: number[]]>({ type: "array", items: { type: ["string", "number"] } }),
    "When each begins, and the count of each series, empty ones included; of durations those with runs, in seconds",
  ),
});

export type Histogram = Shaped<typeof histogramShape>;
