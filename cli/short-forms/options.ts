import { type AnswerArguments, answerOptions } from "../output/answer.ts";
import { type SourceArguments, sourceOptions } from "../sources/options.ts";
import { UsageError } from "../errors.ts";

/** The options of all short forms, besides their own filters. */
export const shortFormOptions = {
  ...sourceOptions,
  ...answerOptions,
  pql: { type: "boolean" as const, description: "Print the query in PQL instead of running it" },
  limit: { type: "string" as const, valueHint: "N", description: "Maximum rows" },
};

/** The values of {@link shortFormOptions}. */
export interface ShortFormArguments extends SourceArguments, AnswerArguments {
  readonly pql?: boolean | undefined;
  readonly limit?: string | undefined;
}

/** @throws UsageError when it is no number */
export function readLimit(text: string | undefined, usual?: number): number | undefined {
  if (text === undefined) return usual;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--limit must be a number above 0, not ${JSON.stringify(text)}`);
}
