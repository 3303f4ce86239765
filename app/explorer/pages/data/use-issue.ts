import type { IssueDetail } from "#storage/issues/issue.ts";
import type { TimeRange } from "../time/format.ts";
import { type Loaded, useAnswer } from "./use-data.ts";
import { rangeParameters } from "./use-issues.ts";

/** One issue. */
export function useIssue(
  id: string,
  { range, environment }: { readonly range: TimeRange; readonly environment: string | undefined },
): Loaded<IssueDetail> {
  return useAnswer("issues/:id", {
    name: "The issue",
    pql: 'events{ status = "failure" and latest_report? = true }',
    adds: "which folds messages that differ in details, and adds failures from logs",
    segment: id,
    parameters: { ...rangeParameters(range), env: environment },
  });
}
