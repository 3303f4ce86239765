import { list, loose, number, object, type Shaped, text } from "../../shape.ts";

/** Rows counted by time. */
export const histogramShape = object({
  width: number("Of a bucket, in seconds; buckets in which clocks are changed may be longer or shorter"),
  unit: text(),
  series: list(text(), "What is counted apart, in the order of the counts"),
  buckets: list(
    loose<readonly [from: string, ...counts: number[]]>({ type: "array", items: { type: ["string", "integer"] } }),
    "When each begins, and the count of each series; includes empty ones",
  ),
});

export type Histogram = Shaped<typeof histogramShape>;
