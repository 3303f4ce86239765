import type { Issues } from "#storage/issues/issue.ts";
import type { TimeRange } from "../time/format.ts";
import { type Loaded, useAnswer } from "./use-data.ts";

export interface IssuesRequest {
  readonly name: string;
  readonly range: TimeRange;
  readonly environment?: string | undefined;
  readonly certname?: string;
  /** Only issues with this message, whatever resource has it. */
  readonly common?: string | undefined;
  /** Only issues of resources in this class. */
  readonly class?: string;
  readonly limit?: number;
}

/** Parameters of a time range for endpoints of the explorer. */
export function rangeParameters({ last, from, to }: TimeRange): Record<string, string | undefined> {
  return last === undefined ? { from: from.toISOString(), to: to.toISOString() } : { last };
}

/** Failures, grouped. */
export function useIssues({
  name,
  range,
  environment,
  certname,
  common,
  class: className,
  limit,
}: IssuesRequest): Loaded<Issues> {
  return useAnswer("issues", {
    name,
    pql: 'events[resource_type, resource_title, message, count()]{ status = "failure" and latest_report? = true group by resource_type, resource_title, message }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    parameters: { ...rangeParameters(range), env: environment, certname, common, class: className, limit },
  });
}
