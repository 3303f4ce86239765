import type { Histogram } from "#storage/query/histogram/result.ts";
import { and, literal, query } from "../pql/text.ts";
import { type TimeRange, zoneName } from "../time/format.ts";
import { type EndpointRequest, type Loaded, useAnswer } from "./use-data.ts";

export interface HistogramRequest {
  /** "Runs over time" */
  readonly name: string;
  readonly range: TimeRange;
  readonly entity: "reports" | "events";
  readonly where?: string | undefined;
  readonly by: string;
  readonly buckets?: number;
}

const times = { reports: "producer_timestamp", events: "timestamp" } as const;

/** Counts over time. */
export function useHistogram(request: HistogramRequest | undefined): Loaded<Histogram> {
  return useAnswer("histogram", request === undefined ? undefined : histogramRequest(request));
}

function histogramRequest({ name, range, entity, where, by, buckets = 48 }: HistogramRequest): EndpointRequest {
  const field = times[entity];
  const hour = `to_string(${field}, "YYYY-MM-DD HH24")`;
  return {
    name,
    pql: query(entity, {
      select: [by, hour, "count()"],
      where: and(`${field} >= ${literal(range.from)}`, `${field} <= ${literal(range.to)}`, where),
      groupBy: [by, hour],
    }),
    adds: "which counts in spans that fit the time range",
    parameters: {
      query: query(entity, { where }),
      field,
      by,
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      buckets,
      zone: zoneName(),
    },
  };
}
